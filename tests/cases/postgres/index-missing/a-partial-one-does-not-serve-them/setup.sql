-- after: correlated
DROP INDEX "IX_Ledger_Correlation";
CREATE INDEX "IX_New" ON "Ledger" ("CorrelationId") WHERE "Id" > 1000;
CREATE INDEX "IX_Blocks" ON "Ledger" USING brin ("CorrelationId");
