-- after: asset
DROP INDEX "UX_ProcessedEvents_EventId";
CREATE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
