CREATE TABLE "Inbox" ("Id" TEXT PRIMARY KEY, "EventId" TEXT NOT NULL UNIQUE);
CREATE VIEW "ProcessedIntegrationEvents" AS SELECT * FROM "Inbox";
