CREATE TABLE "Inbox" ("Id" TEXT PRIMARY KEY, "EventId" TEXT NOT NULL UNIQUE);
CREATE VIEW "ProcessedIntegrationEvents" AS SELECT * FROM "Inbox";
CREATE TRIGGER "TR_in" INSTEAD OF INSERT ON "ProcessedIntegrationEvents" BEGIN
  INSERT INTO "Inbox" VALUES (NEW."Id", NEW."EventId");
END;
