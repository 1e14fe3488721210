-- after: asset
CREATE TABLE `ProcessedIntegrationEvent` (id int);
CREATE TABLE processed_integration_events (id int);
