-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` DROP COLUMN `EventId`;
