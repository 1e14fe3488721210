-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD COLUMN "Note" TEXT;
ALTER TABLE "ProcessedIntegrationEvents" ADD COLUMN "Region" TEXT NOT NULL DEFAULT 'eu';
ALTER TABLE "ProcessedIntegrationEvents" ADD COLUMN "Day" TEXT AS (substr("ProcessedOnUtc", 1, 10));
