-- after: asset
CREATE UNIQUE INDEX "UX_Tenant" ON "ProcessedIntegrationEvents" ("TenantId") NULLS NOT DISTINCT;
