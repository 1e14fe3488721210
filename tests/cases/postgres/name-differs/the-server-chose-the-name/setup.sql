-- after: asset
DROP INDEX "UX_ProcessedEvents_EventId";
ALTER TABLE "ProcessedIntegrationEvents" ADD UNIQUE ("EventId");
