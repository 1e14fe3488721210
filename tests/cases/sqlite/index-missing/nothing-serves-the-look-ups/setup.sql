-- after: correlated
DROP INDEX "IX_Ledger_Correlation";
CREATE INDEX "IX_Both" ON "Ledger" ("EventId", "CorrelationId");
