-- after: asset
CREATE DOMAIN outcome AS varchar(40) CHECK (VALUE IN ('Processed', 'Duplicate'));
ALTER TABLE "ProcessedIntegrationEvents" ALTER "Outcome" TYPE outcome;
