-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "TenantId" TYPE bigint;
