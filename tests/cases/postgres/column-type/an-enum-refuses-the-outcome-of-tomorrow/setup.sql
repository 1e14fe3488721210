-- after: asset
CREATE TYPE outcome AS ENUM ('Processed', 'Duplicate', 'Stale');
ALTER TABLE "ProcessedIntegrationEvents" ALTER "Outcome" DROP DEFAULT;
ALTER TABLE "ProcessedIntegrationEvents" ALTER "Outcome" TYPE outcome USING 'Processed'::outcome,
  ALTER "Outcome" SET DEFAULT 'Processed';
