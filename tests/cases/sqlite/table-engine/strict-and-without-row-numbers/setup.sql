CREATE TABLE "Ledger" ("Id" INTEGER NOT NULL PRIMARY KEY, "EventId" TEXT NOT NULL, "CorrelationId" TEXT) STRICT;
CREATE UNIQUE INDEX "UX_Ledger_EventId" ON "Ledger" ("EventId");
CREATE INDEX "IX_Ledger_Correlation" ON "Ledger" ("CorrelationId");
