BEGIN;
SELECT count(*) FROM "ProcessedIntegrationEvents";
-- next, which waits
ALTER TABLE "ProcessedIntegrationEvents" ADD COLUMN "Late" integer;
