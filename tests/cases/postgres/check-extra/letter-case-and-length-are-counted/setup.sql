-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT "CK_case" CHECK ("Outcome" IN ('processed', 'duplicate', 'stale')),
  ADD CONSTRAINT "CK_length" CHECK (char_length("Outcome") <= 8),
  ADD CONSTRAINT "CK_lower" CHECK (lower("Outcome") IN ('processed', 'duplicate', 'stale')),
  ADD CONSTRAINT "CK_upper_only" CHECK (upper("Outcome") = "Outcome");
