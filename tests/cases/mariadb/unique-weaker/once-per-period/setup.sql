CREATE TABLE `Ledger` (
  `Id` bigint AUTO_INCREMENT PRIMARY KEY, `EventId` varchar(64) NOT NULL, `CorrelationId` varchar(160),
  `From` date NOT NULL DEFAULT '2020-01-01', `Until` date NOT NULL DEFAULT '2030-01-01', PERIOD FOR life (`From`, `Until`),
  UNIQUE KEY `UX_Ledger_EventId` (`EventId`, life WITHOUT OVERLAPS), KEY `IX_Ledger_Correlation` (`CorrelationId`)
);
