-- after: asset
DROP INDEX "UX_ProcessedEvents_EventId";
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT per_source UNIQUE ("SourceService", "EventId");
