-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD COLUMN "Ticket" text CONSTRAINT "UX_ticket" UNIQUE, ADD COLUMN "Batch" text;
CREATE UNIQUE INDEX "UX_batch" ON "ProcessedIntegrationEvents" ("SourceService", "Batch");
CREATE UNIQUE INDEX "UX_batch2" ON "ProcessedIntegrationEvents" ("SourceService", "Batch") NULLS NOT DISTINCT;
