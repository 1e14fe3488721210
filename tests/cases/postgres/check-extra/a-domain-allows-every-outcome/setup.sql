-- after: asset
CREATE DOMAIN outcome AS varchar(40) CHECK (VALUE IN ('Processed', 'Duplicate', 'Stale', 'Failed')) CHECK (length(VALUE) < 20);
ALTER TABLE "ProcessedIntegrationEvents" ALTER "Outcome" TYPE outcome;
