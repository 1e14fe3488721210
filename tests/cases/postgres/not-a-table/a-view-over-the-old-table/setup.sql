CREATE TABLE "Inbox" ("Id" uuid PRIMARY KEY, "EventId" uuid NOT NULL UNIQUE);
CREATE VIEW "ProcessedIntegrationEvents" AS SELECT * FROM "Inbox";
