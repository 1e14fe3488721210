-- after: asset
CREATE SCHEMA reporting;
CREATE VIEW reporting."ProcessedIntegrationEvents" AS SELECT "EventType" FROM "ProcessedIntegrationEvents";
