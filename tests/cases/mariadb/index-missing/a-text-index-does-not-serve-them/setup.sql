-- after: correlated
ALTER TABLE `Ledger` DROP KEY `IX_Ledger_Correlation`, ADD FULLTEXT KEY ft (`CorrelationId`);
