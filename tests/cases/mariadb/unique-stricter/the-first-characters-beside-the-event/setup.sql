-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD UNIQUE KEY `UX_Short` (`EventId`(8)), ADD UNIQUE KEY `UX_Both` (`EventId`, `CorrelationId`(5));
