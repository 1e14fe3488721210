-- after: correlated
ALTER TABLE "Ledger" RENAME TO "Old";
CREATE TABLE "Ledger" ("Id" INTEGER PRIMARY KEY, "EventId" TEXT NOT NULL, "CorrelationId" TEXT);
CREATE INDEX "IX_New" ON "Ledger" ("CorrelationId");
