CREATE TABLE `ChargeLedger` (
  `EventId` varchar(64) PRIMARY KEY, `Amount` numeric(18,2) NOT NULL, `Rate` dec(18,6) NOT NULL, `BookedAt` datetime(6) NOT NULL
);
