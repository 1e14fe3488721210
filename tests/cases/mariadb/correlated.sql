-- A small ledger with an index for look-ups.
CREATE TABLE `Ledger` (
  `Id` bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
  `EventId` varchar(64) NOT NULL,
  `CorrelationId` varchar(160),
  UNIQUE KEY `UX_Ledger_EventId` (`EventId`),
  KEY `IX_Ledger_Correlation` (`CorrelationId`)
);
