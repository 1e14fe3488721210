-- after: asset
CREATE DOMAIN tenant AS integer NOT NULL;
ALTER TABLE "ProcessedIntegrationEvents" ALTER "TenantId" TYPE tenant;
