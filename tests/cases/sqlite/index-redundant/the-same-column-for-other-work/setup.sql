-- after: correlated
CREATE INDEX ix_case ON "Ledger" ("CorrelationId" COLLATE NOCASE);
CREATE INDEX ix_long ON "Ledger" ("CorrelationId", "Id");
CREATE INDEX ix_lower ON "Ledger" (lower("CorrelationId"));
CREATE INDEX ix_new ON "Ledger" ("EventId") WHERE "Id" > 1000;
