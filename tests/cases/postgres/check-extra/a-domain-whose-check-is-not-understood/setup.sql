-- after: asset
CREATE DOMAIN tenant AS integer CHECK (VALUE % 2 = 0);
ALTER TABLE "ProcessedIntegrationEvents" ALTER "TenantId" TYPE tenant;
