-- after: correlated
ALTER TABLE `Ledger` DROP KEY `IX_Ledger_Correlation`, ADD KEY `IX_Ledger_Correlation` (`CorrelationId`) KEY_BLOCK_SIZE=4 COMMENT 'x';
