-- after: correlated
DROP INDEX "UX_Ledger_EventId";
CREATE UNIQUE INDEX "UX_Ledger_EventId" ON "Ledger" ("EventId") WHERE "EventId" IS NOT NULL;
CREATE UNIQUE INDEX ux_upsert ON "Ledger" ("EventId");
