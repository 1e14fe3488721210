-- after: correlated
ALTER TABLE `Ledger` ALTER INDEX `IX_Ledger_Correlation` IGNORED;
