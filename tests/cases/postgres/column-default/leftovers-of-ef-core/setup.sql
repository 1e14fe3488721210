-- after: asset
ALTER TABLE "ProcessedIntegrationEvents"
  ALTER "SourceService" SET DEFAULT '',
  ALTER "TenantId" SET DEFAULT 0,
  ALTER "Id" SET DEFAULT '00000000-0000-0000-0000-000000000000',
  ALTER "ProcessedOnUtc" SET DEFAULT '-infinity';
