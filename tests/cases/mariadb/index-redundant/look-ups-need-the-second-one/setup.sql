-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD UNIQUE KEY `UX_Second` (`EventId`);
ALTER TABLE `ProcessedIntegrationEvents` ALTER INDEX `UX_ProcessedEvents_EventId` IGNORED;
