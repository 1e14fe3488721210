-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` DROP PRIMARY KEY, DROP KEY `UX_ProcessedEvents_EventId`, ADD PRIMARY KEY (`EventId`);
