-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD COLUMN "Gone" TEXT NOT NULL DEFAULT 'x';
ALTER TABLE "ProcessedIntegrationEvents" RENAME COLUMN "Gone" TO "Away";
ALTER TABLE "ProcessedIntegrationEvents" DROP COLUMN "Away";
