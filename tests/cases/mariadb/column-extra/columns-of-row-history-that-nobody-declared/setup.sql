-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD SYSTEM VERSIONING;
