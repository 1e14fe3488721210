-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT "CK_blank" CHECK ("EventType" <> ''),
  ADD CONSTRAINT "CK_like" CHECK ("Outcome" LIKE 'P%'),
  ADD CONSTRAINT "CK_no_blanks" CHECK ("Outcome" NOT LIKE '% %'),
  ADD CONSTRAINT "CK_nil" CHECK ("EventId" <> '00000000-0000-0000-0000-000000000000'),
  ADD CONSTRAINT "CK_null" CHECK ("Outcome" IN ('Processed', NULL)),
  ADD CONSTRAINT "CK_other" CHECK ("Outcome" IS DISTINCT FROM 'Stale'),
  ADD CONSTRAINT "CK_simple" CHECK (CASE "Outcome" WHEN 'Stale' THEN false ELSE true END),
  ADD CONSTRAINT "CK_regular" CHECK ("Outcome" ~ '^[A-Z]');
