-- after: correlated
ALTER TABLE `Ledger` ADD KEY `IX_Both` (`EventId`, `CorrelationId`), ALTER INDEX `IX_Ledger_Correlation` NOT IGNORED;
ALTER TABLE `Ledger` ALTER INDEX `IX_Both` IGNORED;
