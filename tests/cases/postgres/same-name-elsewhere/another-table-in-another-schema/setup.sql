-- after: asset
CREATE SCHEMA archive;
CREATE TABLE archive."OldEvents" (LIKE "ProcessedIntegrationEvents");
