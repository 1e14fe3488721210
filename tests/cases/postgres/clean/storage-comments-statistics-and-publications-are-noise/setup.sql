-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" SET (fillfactor = 70, autovacuum_enabled = false);
ALTER TABLE "ProcessedIntegrationEvents" ALTER "EventType" SET STORAGE EXTERNAL, ALTER "EventType" SET STATISTICS 500;
ALTER TABLE "ProcessedIntegrationEvents" REPLICA IDENTITY FULL;
ALTER TABLE "ProcessedIntegrationEvents" CLUSTER ON "UX_ProcessedEvents_EventId";
CREATE STATISTICS ledger_stats ON "EventType", "Outcome" FROM "ProcessedIntegrationEvents";
COMMENT ON TABLE "ProcessedIntegrationEvents" IS 'UNIQUE ("EventType") is not promised';
COMMENT ON COLUMN "ProcessedIntegrationEvents"."EventId" IS 'nullable, default now()';
