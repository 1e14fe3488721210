-- after: asset
CREATE DOMAIN outcome AS varchar(20);
ALTER TABLE "ProcessedIntegrationEvents" ALTER "Outcome" TYPE outcome;
