-- after: correlated
DROP INDEX "IX_Ledger_Correlation";
CREATE INDEX "IX_Ledger_Correlation" ON "Ledger" ("CorrelationId") WITH (fillfactor = 50, deduplicate_items = off);
