-- after: asset
CREATE SCHEMA archive;
CREATE TABLE archive."ProcessedIntegrationEvents" (LIKE "ProcessedIntegrationEvents");
ALTER TABLE "ProcessedIntegrationEvents" DROP COLUMN "CorrelationId";
