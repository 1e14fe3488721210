-- after: asset
DROP INDEX "UX_ProcessedEvents_EventId";
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" (("EventId" IS NULL));
