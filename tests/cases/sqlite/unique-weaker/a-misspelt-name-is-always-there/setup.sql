-- after: correlated
DROP INDEX "UX_Ledger_EventId";
CREATE UNIQUE INDEX "UX_Ledger_EventId" ON "Ledger" ("EventId") WHERE "Event_Id" IS NOT NULL;
