-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT "CK_Outcome" CHECK ("Outcome" IN ('Processed', 'Duplicate'));
