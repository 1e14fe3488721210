-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT "CK_Outcome"
  CHECK ("Outcome" = ANY (ARRAY['Processed', 'Duplicate', 'Stale', 'Failed']));
