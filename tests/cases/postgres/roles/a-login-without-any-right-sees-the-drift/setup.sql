-- after: asset
DROP INDEX "UX_ProcessedEvents_EventId";
ALTER TABLE "ProcessedIntegrationEvents" ADD CHECK ("TenantId" > 0), ALTER "Outcome" DROP DEFAULT, ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC;
