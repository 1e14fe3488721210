-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "TenantId" TYPE integer[] USING NULL,
  ALTER "CorrelationId" TYPE varchar(160)[] USING NULL;
