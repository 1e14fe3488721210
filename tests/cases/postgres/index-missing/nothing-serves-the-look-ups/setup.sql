-- after: correlated
DROP INDEX "IX_Ledger_Correlation";
