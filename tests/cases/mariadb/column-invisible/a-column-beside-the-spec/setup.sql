-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD `Note` text INVISIBLE;
