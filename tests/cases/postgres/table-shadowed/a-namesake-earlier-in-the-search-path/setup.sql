-- after: asset
CREATE SCHEMA fresh;
CREATE TABLE fresh."ProcessedIntegrationEvents" (LIKE "ProcessedIntegrationEvents");
ALTER DATABASE {database} SET search_path = fresh, public;
