CREATE TABLE `ChargeLedger` (
  `EventId` varchar(64) PRIMARY KEY, `Amount` decimal(18,2) unsigned NOT NULL, `Rate` decimal(18,6) NOT NULL, `BookedAt` datetime(6) NOT NULL
);
