-- after: correlated
ALTER TABLE `Ledger` ADD FULLTEXT KEY ft (`CorrelationId`), ADD KEY ix_short (`EventId`(10)), ADD KEY ix_long (`CorrelationId`, `Id`);
