CREATE TABLE "Ledger" ("Id" INTEGER, "EventId" TEXT NOT NULL PRIMARY KEY, "CorrelationId" TEXT) WITHOUT ROWID;
CREATE INDEX "IX_Ledger_Correlation" ON "Ledger" ("CorrelationId");
