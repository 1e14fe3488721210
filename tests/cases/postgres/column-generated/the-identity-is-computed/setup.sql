-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" DROP "EventId";
ALTER TABLE "ProcessedIntegrationEvents" ADD "EventId" uuid NOT NULL GENERATED ALWAYS AS (md5("EventType")::uuid) STORED;
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
