CREATE TABLE `tenants` (`id` int PRIMARY KEY) ENGINE=InnoDB;
CREATE TABLE `ProcessedIntegrationEvents` (
  `Id` char(36) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `EventId` char(36) CHARACTER SET ascii COLLATE ascii_general_ci NULL,
  `EventType` varchar(100) NOT NULL,
  `TenantId` int NULL,
  `CorrelationId` varchar(160) NULL,
  `SourceService` varchar(120) NOT NULL,
  `Outcome` varchar(40) NOT NULL,
  `ProcessedOnUtc` datetime(6) NOT NULL ON UPDATE current_timestamp(6),
  `Note` text NULL,
  CONSTRAINT `PK_ProcessedIntegrationEvents` PRIMARY KEY (`EventType`),
  CONSTRAINT `CK_Tenant` CHECK (`TenantId` > 0),
  CONSTRAINT `FK_Tenant` FOREIGN KEY (`TenantId`) REFERENCES `tenants` (`id`)
) ENGINE=InnoDB CHARACTER SET=utf8mb4;
CREATE UNIQUE INDEX `UX_ProcessedEvents_EventId` ON `ProcessedIntegrationEvents` (`EventId`, `TenantId`);
CREATE TRIGGER `TR_rewrite` BEFORE INSERT ON `ProcessedIntegrationEvents` FOR EACH ROW SET NEW.`EventId` = uuid();
CREATE VIEW `Journal` AS SELECT `Id` FROM `ProcessedIntegrationEvents`;
CREATE EVENT `purge` ON SCHEDULE EVERY 1 DAY DISABLE
  DO DELETE FROM `ProcessedIntegrationEvents` WHERE `ProcessedOnUtc` < utc_timestamp(6) - INTERVAL 1 DAY;
CREATE TABLE `ledger_retention` (`ledger` varchar(200) PRIMARY KEY, `horizon_seconds` bigint, `last_started_utc` datetime(6),
  `last_finished_utc` datetime(6), `last_deleted` bigint, `last_error` varchar(1000), `runner` varchar(200)) ENGINE=InnoDB;
INSERT INTO `ledger_retention` VALUES ('ProcessedIntegrationEvents', 86400, utc_timestamp(6), utc_timestamp(6), NULL, 'the disk is full', 'night');
