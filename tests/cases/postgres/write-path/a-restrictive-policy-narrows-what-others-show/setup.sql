-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ENABLE ROW LEVEL SECURITY;
CREATE POLICY everything ON "ProcessedIntegrationEvents" USING (true);
CREATE POLICY own ON "ProcessedIntegrationEvents" AS RESTRICTIVE FOR SELECT USING ("TenantId" = 1);
