-- after: asset
DROP INDEX "UX_ProcessedEvents_EventId";
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" (replace("EventId"::text, '-', ''));
