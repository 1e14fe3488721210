CREATE TABLE "Inbox" ("Id" uuid PRIMARY KEY, "EventId" uuid NOT NULL);
CREATE VIEW "ProcessedIntegrationEvents" AS SELECT DISTINCT "EventId" FROM "Inbox";
