-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT "CK_any" CHECK ("Outcome"::text = ANY ('{Processed,Duplicate,Stale}'::text[])),
  ADD CONSTRAINT "CK_not" CHECK ("Outcome" <> ALL (ARRAY['Failed', 'Stale'])),
  ADD CONSTRAINT "CK_one" CHECK ("Outcome" = ANY (ARRAY['Processed'])),
  ADD CONSTRAINT "CK_or" CHECK ("Outcome" = 'Processed' OR "Outcome" = 'Duplicate'),
  ADD CONSTRAINT "CK_or_all" CHECK ("Outcome" = 'Processed' OR ("Outcome" = 'Duplicate' OR 'Stale' = "Outcome"));
