-- after: asset
CREATE DOMAIN outcome AS varchar(40) DEFAULT 'Processed';
ALTER TABLE "ProcessedIntegrationEvents" ALTER "Outcome" DROP DEFAULT, ALTER "Outcome" TYPE outcome;
