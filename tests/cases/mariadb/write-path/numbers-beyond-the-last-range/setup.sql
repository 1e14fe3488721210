CREATE TABLE `Ledger` (
  `Id` bigint NOT NULL AUTO_INCREMENT, `EventId` varchar(64) NOT NULL, `CorrelationId` varchar(160),
  PRIMARY KEY (`Id`), KEY `IX_Ledger_Correlation` (`CorrelationId`)
) PARTITION BY RANGE (`Id`) (PARTITION p0 VALUES LESS THAN (1000));
