CREATE TABLE `ChargeLedger` (
  `EventId` varchar(64) PRIMARY KEY, `Amount` decimal(18,4) NOT NULL, `Rate` decimal(18) NOT NULL, `BookedAt` datetime NOT NULL
);
