CREATE TABLE "Inbox" ("Id" uuid PRIMARY KEY, "EventId" uuid NOT NULL);
CREATE MATERIALIZED VIEW "ProcessedIntegrationEvents" AS SELECT * FROM "Inbox";
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
