-- after: notification
ALTER TABLE "ProcessedIntegrationEvents" DROP COLUMN "CorrelationId";
