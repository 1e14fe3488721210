CREATE TABLE "Ledger" ("Id" INTEGER PRIMARY KEY, "CorrelationId" TEXT);
CREATE INDEX "IX_Ledger_Correlation" ON "Ledger" ("CorrelationId");
