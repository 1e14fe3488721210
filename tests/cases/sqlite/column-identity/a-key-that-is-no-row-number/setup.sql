CREATE TABLE "Ledger" ("Id" INT NOT NULL PRIMARY KEY, "EventId" TEXT NOT NULL, "CorrelationId" TEXT);
CREATE UNIQUE INDEX "UX_Ledger_EventId" ON "Ledger" ("EventId");
CREATE INDEX "IX_Ledger_Correlation" ON "Ledger" ("CorrelationId");
