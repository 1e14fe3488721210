-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "EventType" DROP NOT NULL, ALTER "Outcome" DROP NOT NULL, ALTER "SourceService" DROP NOT NULL,
  ADD CONSTRAINT "CK_EventType" CHECK ("EventType" IS NOT NULL) NOT VALID,
  ADD CONSTRAINT "CK_Outcome" CHECK (("Outcome" IN ('Processed', 'Duplicate', 'Stale')) IS TRUE),
  ADD CONSTRAINT "CK_Source" CHECK ("SourceService" IS NOT NULL OR "TenantId" IS NOT NULL);
ALTER TABLE "ProcessedIntegrationEvents" VALIDATE CONSTRAINT "CK_EventType";
