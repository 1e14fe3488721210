-- The notification ledger as EF Core (Pomelo) makes it.
CREATE TABLE `ProcessedIntegrationEvents` (
  `Id` char(36) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `EventId` char(36) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `EventType` varchar(160) NOT NULL,
  `TenantId` varchar(80) NULL,
  `CorrelationId` varchar(160) NULL,
  `SourceService` varchar(120) NOT NULL,
  `Outcome` varchar(40) NOT NULL,
  `MessagesCreated` int NOT NULL,
  `ProcessedOnUtc` datetime(6) NOT NULL,
  CONSTRAINT `PK_ProcessedIntegrationEvents` PRIMARY KEY (`Id`)
) ENGINE=InnoDB CHARACTER SET=utf8mb4;
CREATE UNIQUE INDEX `UX_ProcessedEvents_EventId` ON `ProcessedIntegrationEvents` (`EventId`);
CREATE INDEX `IX_ProcessedEvents_Correlation` ON `ProcessedIntegrationEvents` (`CorrelationId`);
