-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" DROP CONSTRAINT "PK_ProcessedIntegrationEvents";
