-- after: correlated
DROP INDEX `IX_Ledger_Correlation` ON `Ledger`;
CREATE UNIQUE INDEX `IX_Ledger_Correlation` ON `Ledger` (`CorrelationId`, `EventId`);
