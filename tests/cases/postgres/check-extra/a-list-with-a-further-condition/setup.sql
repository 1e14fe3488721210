-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT "CK_Outcome" CHECK ("Outcome" IN ('Processed', 'Duplicate') AND "TenantId" > 0),
  ADD CONSTRAINT "CK_Source" CHECK ("Outcome" IN ('Processed', 'Duplicate', 'Stale') AND "SourceService" ~ '^[a-z]'),
  ADD CONSTRAINT "CK_Tenant" CHECK ("Outcome" = 'Processed' OR "TenantId" > 0),
  ADD CONSTRAINT "CK_Type" CHECK ("Outcome" IN ('Processed', 'Duplicate', 'Stale') AND "EventType" IS NOT NULL);
