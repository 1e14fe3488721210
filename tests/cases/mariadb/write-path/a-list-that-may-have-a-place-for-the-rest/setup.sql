CREATE TABLE `Ledger` (
  `Id` bigint NOT NULL AUTO_INCREMENT, `EventId` varchar(64) NOT NULL, `CorrelationId` varchar(160),
  PRIMARY KEY (`Id`), KEY `IX_Ledger_Correlation` (`CorrelationId`)
) PARTITION BY LIST (`Id`) (PARTITION p0 VALUES IN (1, 2), PARTITION p1 DEFAULT);
