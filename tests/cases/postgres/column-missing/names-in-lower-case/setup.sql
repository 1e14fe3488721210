-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" RENAME "CorrelationId" TO correlationid;
