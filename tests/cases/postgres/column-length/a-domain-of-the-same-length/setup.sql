-- after: asset
CREATE DOMAIN outcome AS varchar(40);
ALTER TABLE "ProcessedIntegrationEvents" ALTER "Outcome" TYPE outcome;
