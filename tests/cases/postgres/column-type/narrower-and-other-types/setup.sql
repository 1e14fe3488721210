-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "TenantId" TYPE smallint, ALTER "ProcessedOnUtc" TYPE timestamp,
  ALTER "CorrelationId" TYPE uuid USING NULL, ALTER "SourceService" TYPE char(120);
