-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` DROP KEY `UX_ProcessedEvents_EventId`,
  ADD CONSTRAINT `UX_ProcessedEvents_EventId` UNIQUE (`EventId`);
