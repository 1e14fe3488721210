CREATE TABLE "ProcessedIntegrationEvent" ("Id" uuid PRIMARY KEY, "EventId" uuid NOT NULL UNIQUE);
