CREATE TABLE "Ledger" ("Id" INTEGER PRIMARY KEY, "EventId" VARCHAR(10) NOT NULL, "CorrelationId" VARCHAR(500));
CREATE UNIQUE INDEX "UX_Ledger_EventId" ON "Ledger" ("EventId");
CREATE INDEX "IX_Ledger_Correlation" ON "Ledger" ("CorrelationId");
