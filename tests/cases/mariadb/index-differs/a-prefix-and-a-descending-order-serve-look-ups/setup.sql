-- after: correlated
ALTER TABLE `Ledger` DROP KEY `IX_Ledger_Correlation`, ADD KEY `IX_Ledger_Correlation` (`CorrelationId`(20) DESC);
