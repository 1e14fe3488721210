-- after: asset
CREATE SCHEMA archive;
CREATE TABLE archive."ProcessedIntegrationEvents" (LIKE "ProcessedIntegrationEvents");
ALTER DATABASE {database} SET search_path = public, archive;
