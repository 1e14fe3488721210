CREATE TABLE "Ledger" ("Id" INTEGER PRIMARY KEY, "EventId" NOT NULL, "CorrelationId" BLOB);
CREATE UNIQUE INDEX "UX_Ledger_EventId" ON "Ledger" ("EventId");
CREATE INDEX "IX_Ledger_Correlation" ON "Ledger" ("CorrelationId");
