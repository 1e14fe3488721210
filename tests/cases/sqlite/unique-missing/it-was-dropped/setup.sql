-- after: correlated
DROP INDEX "UX_Ledger_EventId";
