CREATE TABLE `ProcessedIntegrationEvents` (
  `Id` char(36) CHARACTER SET ascii NOT NULL COMMENT 'NULL DEFAULT ''x''',
  `EventId` char(36) CHARACTER SET ascii NOT NULL,
  `EventType` varchar(160) NOT NULL,
  `TenantId` int(5) NULL DEFAULT NULL,
  `CorrelationId` varchar(160) DEFAULT NULL,
  `SourceService` varchar(120) NOT NULL,
  `Outcome` varchar(40) NOT NULL DEFAULT ('Processed'),
  `ProcessedOnUtc` datetime(6) NOT NULL,
  PRIMARY KEY (`Id`) USING BTREE,
  UNIQUE `UX_ProcessedEvents_EventId` (`EventId`) COMMENT 'not unique'
) ENGINE=InnoDB ROW_FORMAT=COMPRESSED KEY_BLOCK_SIZE=8 STATS_PERSISTENT=0 PAGE_CHECKSUM=1 COMMENT='a ledger';
