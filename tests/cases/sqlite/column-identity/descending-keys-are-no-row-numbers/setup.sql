CREATE TABLE "Ledger" ("Id" INTEGER NOT NULL PRIMARY KEY DESC, "EventId" TEXT NOT NULL, "CorrelationId" TEXT);
CREATE UNIQUE INDEX "UX_Ledger_EventId" ON "Ledger" ("EventId");
CREATE INDEX "IX_Ledger_Correlation" ON "Ledger" ("CorrelationId");
