-- after: asset
CREATE DOMAIN outcome AS varchar(40) DEFAULT 'Processed';
ALTER TABLE "ProcessedIntegrationEvents" ALTER "Outcome" TYPE outcome, ALTER "Outcome" SET DEFAULT NULL;
