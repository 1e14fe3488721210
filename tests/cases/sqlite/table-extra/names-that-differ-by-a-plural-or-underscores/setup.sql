-- after: asset
CREATE TABLE "ProcessedIntegrationEvent" (id);
CREATE VIEW processed_integration_events AS SELECT 1;
