CREATE TABLE `Inbox` (`Id` char(36) PRIMARY KEY, `EventId` char(36) NOT NULL);
CREATE VIEW `ProcessedIntegrationEvents` AS SELECT DISTINCT `EventId` FROM `Inbox`;
