-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "TenantId" SET NOT NULL;
