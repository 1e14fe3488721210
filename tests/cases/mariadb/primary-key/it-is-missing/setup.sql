-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` DROP PRIMARY KEY;
