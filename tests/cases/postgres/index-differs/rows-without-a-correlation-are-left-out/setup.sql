-- after: correlated
DROP INDEX "IX_Ledger_Correlation";
CREATE INDEX "IX_Ledger_Correlation" ON "Ledger" ("CorrelationId") WHERE "CorrelationId" IS NOT NULL;
