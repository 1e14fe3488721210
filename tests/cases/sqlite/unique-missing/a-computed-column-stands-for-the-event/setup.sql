-- after: correlated
DROP INDEX "UX_Ledger_EventId";
ALTER TABLE "Ledger" ADD "Hex" TEXT AS (hex("EventId"));
CREATE UNIQUE INDEX "UX_Ledger_EventId" ON "Ledger" ("Hex");
