-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY reads ON "ProcessedIntegrationEvents" FOR SELECT USING (true);
CREATE POLICY writes ON "ProcessedIntegrationEvents" FOR INSERT WITH CHECK (true);
CREATE POLICY own ON "ProcessedIntegrationEvents" USING ("TenantId" = 1);
