-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` DROP KEY `UX_ProcessedEvents_EventId`, ADD KEY `UX_ProcessedEvents_EventId` (`EventId`);
