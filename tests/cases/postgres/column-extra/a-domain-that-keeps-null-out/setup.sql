-- after: asset
CREATE DOMAIN region AS varchar(10) NOT NULL;
ALTER TABLE "ProcessedIntegrationEvents" ADD "Region" region;
