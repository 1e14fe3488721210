-- after: asset
CREATE DOMAIN closed AS varchar(160) CHECK (VALUE <> 'x') CONSTRAINT never CHECK (false);
ALTER TABLE "ProcessedIntegrationEvents" ALTER COLUMN "EventType" TYPE closed;
