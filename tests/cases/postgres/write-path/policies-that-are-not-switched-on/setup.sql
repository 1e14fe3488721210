-- after: asset
CREATE POLICY by_tenant ON "ProcessedIntegrationEvents" USING ("TenantId" = 1);
ALTER TABLE "ProcessedIntegrationEvents" FORCE ROW LEVEL SECURITY;
