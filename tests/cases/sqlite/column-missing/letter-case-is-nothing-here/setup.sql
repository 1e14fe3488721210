-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" RENAME COLUMN "CorrelationId" TO "CORRELATIONID";
