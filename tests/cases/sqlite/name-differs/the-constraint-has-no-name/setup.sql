CREATE TABLE "Ledger" ("Id" INTEGER PRIMARY KEY, "EventId" TEXT NOT NULL UNIQUE, "CorrelationId" TEXT);
CREATE INDEX "IX_Ledger_Correlation" ON "Ledger" ("CorrelationId");
