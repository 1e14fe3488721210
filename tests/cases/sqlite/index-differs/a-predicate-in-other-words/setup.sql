CREATE TABLE "Ledger" ("Id" TEXT NOT NULL PRIMARY KEY, "EventId" TEXT NOT NULL, "Outcome" TEXT NOT NULL, "Number" INTEGER NOT NULL, "At" TEXT NOT NULL);
CREATE UNIQUE INDEX "UX_time" ON "Ledger" ("EventId") WHERE "At" > '2026-01-01';
CREATE INDEX "IX_or" ON "Ledger" ("EventId") WHERE "Outcome" IN ('Stale', 'Failed');
CREATE INDEX "IX_and" ON "Ledger" ("EventId") WHERE "Outcome" <> 'Stale' AND 0 < "Number";
CREATE INDEX "IX_mixed" ON "Ledger" ("EventId") WHERE "Number" > 5 OR "Outcome" = 'Failed' OR "Outcome" = 'Stale';
