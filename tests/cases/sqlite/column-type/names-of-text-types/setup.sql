CREATE TABLE "Ledger" ("Id" INTEGER PRIMARY KEY, "EventId" NVARCHAR(64) NOT NULL, "CorrelationId" CHARACTER(160));
CREATE UNIQUE INDEX "UX_Ledger_EventId" ON "Ledger" ("EventId");
CREATE INDEX "IX_Ledger_Correlation" ON "Ledger" ("CorrelationId");
