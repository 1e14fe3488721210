-- after: asset
CREATE DOMAIN word AS varchar(160) NOT NULL;
CREATE DOMAIN event_type AS word;
CREATE DOMAIN source AS varchar(120) CHECK (VALUE IS NOT NULL);
CREATE DOMAIN outcome AS varchar(40);
ALTER DOMAIN outcome ADD CONSTRAINT known CHECK (VALUE IS NOT NULL) NOT VALID;
ALTER TABLE "ProcessedIntegrationEvents" ALTER "EventType" DROP NOT NULL, ALTER "SourceService" DROP NOT NULL, ALTER "Outcome" DROP NOT NULL;
ALTER TABLE "ProcessedIntegrationEvents" ALTER "EventType" TYPE event_type, ALTER "SourceService" TYPE source, ALTER "Outcome" TYPE outcome;
