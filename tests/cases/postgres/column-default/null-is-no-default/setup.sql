-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "Outcome" SET DEFAULT NULL, ALTER "TenantId" SET DEFAULT NULL;
