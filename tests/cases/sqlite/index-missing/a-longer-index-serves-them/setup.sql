-- after: correlated
DROP INDEX "IX_Ledger_Correlation";
CREATE INDEX "IX_Long" ON "Ledger" ("CorrelationId", "EventId");
