CREATE TABLE `ProcessedIntegrationEvent` (`Id` char(36) PRIMARY KEY);
