-- after: asset
CREATE SCHEMA {role} AUTHORIZATION {role};
CREATE TABLE {role}."ProcessedIntegrationEvents" (LIKE "ProcessedIntegrationEvents");
