-- after: correlated
DROP INDEX "IX_Ledger_Correlation";
CREATE INDEX IF NOT EXISTS main."IX_Ledger_Correlation" ON [Ledger] ( "CorrelationId" COLLATE BINARY ASC );
