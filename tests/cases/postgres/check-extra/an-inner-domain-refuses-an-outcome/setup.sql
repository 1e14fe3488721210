-- after: asset
CREATE DOMAIN short_text AS varchar(40);
ALTER DOMAIN short_text ADD CONSTRAINT known CHECK (VALUE <> ALL (ARRAY['Stale', 'Failed'])) NOT VALID;
CREATE DOMAIN outcome AS short_text CHECK (VALUE <> '');
ALTER TABLE "ProcessedIntegrationEvents" ALTER "Outcome" TYPE outcome;
