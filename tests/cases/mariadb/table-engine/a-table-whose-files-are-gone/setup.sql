CREATE TABLE `Rows` (`Id` bigint NOT NULL PRIMARY KEY, `EventId` varchar(64) NOT NULL, `CorrelationId` varchar(160), UNIQUE KEY `UX_Ledger_EventId` (`EventId`),
  KEY `IX_Ledger_Correlation` (`CorrelationId`)) ENGINE=MyISAM;
CREATE TABLE `Ledger` (`Id` bigint NOT NULL PRIMARY KEY, `EventId` varchar(64) NOT NULL, `CorrelationId` varchar(160), UNIQUE KEY `UX_Ledger_EventId` (`EventId`),
  KEY `IX_Ledger_Correlation` (`CorrelationId`)) ENGINE=MRG_MyISAM UNION=(`Rows`);
DROP TABLE `Rows`;
