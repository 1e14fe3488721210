CREATE TABLE "Ledger" ("Id" INTEGER PRIMARY KEY, "EventId" TEXT NOT NULL, "CorrelationId" TEXT, "Region" TEXT NOT NULL);
CREATE UNIQUE INDEX "UX_Ledger_EventId" ON "Ledger" ("EventId");
CREATE INDEX "IX_Ledger_Correlation" ON "Ledger" ("CorrelationId");
