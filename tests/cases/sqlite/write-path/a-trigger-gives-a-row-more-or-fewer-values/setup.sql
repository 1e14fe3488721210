-- after: correlated
CREATE TABLE "Audit" ("Id" INTEGER PRIMARY KEY, "EventId" TEXT, "Size" INTEGER AS (length("EventId")));
-- next
CREATE TRIGGER "TR_few" AFTER INSERT ON "Ledger" WHEN NEW."Id" < 0 BEGIN INSERT INTO "Audit" VALUES (NEW."EventId"); END;
-- next
CREATE TRIGGER "TR_many" AFTER INSERT ON "Ledger" BEGIN INSERT OR IGNORE INTO "Audit" ("EventId") VALUES (NEW."Id", NEW."EventId"); END;
-- next
CREATE TRIGGER "TR_right" AFTER INSERT ON "Ledger" BEGIN INSERT INTO "Audit" VALUES (NULL, coalesce(NEW."EventId", ',')); END;
