-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT "CK_case" CHECK (CASE WHEN "Outcome" = 'Stale' THEN false ELSE "TenantId" > 0 END),
  ADD CONSTRAINT "CK_known" CHECK (coalesce("Outcome", '') <> ''),
  ADD CONSTRAINT "CK_true" CHECK ("EventId" IS NOT NULL OR "TenantId" IS NULL);
