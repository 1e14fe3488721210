-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` RENAME COLUMN `EventId` TO `event_id`;
