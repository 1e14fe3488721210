-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD UNIQUE KEY `EventId` (`EventId`), ADD UNIQUE KEY `EventId_2` (`EventId`), ADD KEY `IX_EventId` (`EventId`);
