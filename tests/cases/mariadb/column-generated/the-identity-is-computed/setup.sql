-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` DROP COLUMN `EventId`;
ALTER TABLE `ProcessedIntegrationEvents`
  ADD `EventId` char(36) CHARACTER SET ascii AS (md5(`EventType`)) STORED, ADD UNIQUE KEY `UX_ProcessedEvents_EventId` (`EventId`);
