-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT "CK_Tenant" CHECK ("TenantId" IS NOT NULL) NOT VALID;
