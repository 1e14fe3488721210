-- after: asset
CREATE DOMAIN region AS varchar(10) NOT NULL DEFAULT 'eu';
ALTER TABLE "ProcessedIntegrationEvents" ADD "Region" region;
