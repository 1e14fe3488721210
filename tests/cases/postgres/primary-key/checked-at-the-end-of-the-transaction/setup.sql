-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" DROP CONSTRAINT "PK_ProcessedIntegrationEvents",
  ADD CONSTRAINT "PK_ProcessedIntegrationEvents" PRIMARY KEY ("Id") DEFERRABLE;
