-- after: asset
DROP INDEX `UX_ProcessedEvents_EventId` ON `ProcessedIntegrationEvents`;
CREATE TABLE `Inbox` (`EventId` char(36) NOT NULL, UNIQUE KEY `UX_ProcessedEvents_EventId` (`EventId`));
