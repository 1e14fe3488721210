CREATE TABLE `ChargeLedger` (
  `EventId` varchar(64) PRIMARY KEY, `Amount` decimal(20,2) NOT NULL, `Rate` decimal(18,6) NOT NULL, `BookedAt` datetime(3) NOT NULL
);
