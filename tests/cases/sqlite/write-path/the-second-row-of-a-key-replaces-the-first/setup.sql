CREATE TABLE "Ledger" ("Id" INTEGER PRIMARY KEY, "EventId" TEXT NOT NULL, "CorrelationId" TEXT, CONSTRAINT "UX_Ledger_EventId" UNIQUE ("EventId") ON CONFLICT REPLACE);
CREATE INDEX "IX_Ledger_Correlation" ON "Ledger" ("CorrelationId");
