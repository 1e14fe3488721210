CREATE TABLE `Inbox` (`Id` char(36) PRIMARY KEY, `EventId` char(36) NOT NULL UNIQUE);
CREATE VIEW `ProcessedIntegrationEvents` AS SELECT * FROM `Inbox`;
