CREATE TABLE `ChargeLedger` (
  `EventId` varchar(64) PRIMARY KEY, `Amount` decimal(18,2) NOT NULL, `Rate` decimal(18,6) NOT NULL, `BookedAt` datetime(6) NOT NULL,
  `ChangedAt` datetime(6) NULL ON UPDATE CURRENT_TIMESTAMP(6)
);
