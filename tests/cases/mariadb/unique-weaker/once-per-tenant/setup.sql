-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` DROP KEY `UX_ProcessedEvents_EventId`,
  ADD UNIQUE KEY `UX_ProcessedEvents_EventId` (`EventId`, `TenantId`);
