-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` DROP KEY `UX_ProcessedEvents_EventId`,
  ADD `Live` tinyint AS (if(`Outcome` = 'Stale', NULL, 1)) STORED, ADD UNIQUE KEY `UX_ProcessedEvents_EventId` (`EventId`, `Live`);
