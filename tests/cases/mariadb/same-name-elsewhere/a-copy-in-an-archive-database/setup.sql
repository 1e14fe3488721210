-- after: asset
CREATE DATABASE {other};
CREATE TABLE {other}.`ProcessedIntegrationEvents` LIKE `ProcessedIntegrationEvents`;
DROP INDEX `UX_ProcessedEvents_EventId` ON `ProcessedIntegrationEvents`;
