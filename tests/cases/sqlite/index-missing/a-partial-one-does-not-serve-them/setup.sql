-- after: correlated
DROP INDEX "IX_Ledger_Correlation";
CREATE INDEX ix_new ON "Ledger" ("CorrelationId") WHERE "Id" > 1000;
