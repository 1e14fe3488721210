-- after: asset
DROP INDEX "UX_ProcessedEvents_EventId";
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT "UX_ProcessedEvents_EventId" UNIQUE ("EventId");
