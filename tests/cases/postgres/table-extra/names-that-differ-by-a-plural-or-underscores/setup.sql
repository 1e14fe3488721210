-- after: asset
CREATE TABLE "ProcessedIntegrationEvent" (id integer);
CREATE VIEW processed_integration_events AS SELECT 1;
CREATE TABLE "Processed-Integration-EVENTS" (id integer);
