-- after: asset
DROP INDEX "UX_ProcessedEvents_EventId";
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT uq_event UNIQUE ("EventId") DEFERRABLE;
