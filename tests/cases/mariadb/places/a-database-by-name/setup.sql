CREATE DATABASE {other};
USE {other};
CREATE TABLE `Ledger` (
  `Id` bigint AUTO_INCREMENT PRIMARY KEY, `EventId` varchar(64) NOT NULL, `CorrelationId` varchar(160),
  UNIQUE KEY `UX_Ledger_EventId` (`EventId`), KEY `IX_Ledger_Correlation` (`CorrelationId`)
);
