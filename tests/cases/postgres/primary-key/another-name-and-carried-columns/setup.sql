-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" DROP CONSTRAINT "PK_ProcessedIntegrationEvents",
  ADD CONSTRAINT pk_ledger PRIMARY KEY ("Id") INCLUDE ("Outcome");
