-- after: correlated
CREATE INDEX ix_back ON "Ledger" ("CorrelationId" DESC);
CREATE INDEX ix_hash ON "Ledger" USING hash ("EventId");
