CREATE TABLE `ChargeLedger` (
  `EventId` varchar(64) NOT NULL, `Amount` decimal(18,2) NOT NULL, `Rate` decimal(18,6) NOT NULL, `BookedAt` datetime(6) NOT NULL,
  PRIMARY KEY (`EventId`, `BookedAt`)
) PARTITION BY RANGE COLUMNS (`BookedAt`) (PARTITION p0 VALUES LESS THAN ('2021-01-01'));
