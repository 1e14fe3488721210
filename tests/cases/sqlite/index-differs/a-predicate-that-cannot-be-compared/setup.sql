CREATE TABLE "Ledger" ("Id" TEXT NOT NULL PRIMARY KEY, "EventId" TEXT NOT NULL, "Outcome" TEXT NOT NULL, "Number" INTEGER NOT NULL, "At" TEXT NOT NULL);
CREATE UNIQUE INDEX "UX_computed" ON "Ledger" ("EventId") WHERE length("Outcome") > 0;
CREATE UNIQUE INDEX "UX_other" ON "Ledger" ("EventId") WHERE "Number" > 1;
CREATE INDEX "IX_other" ON "Ledger" ("EventId") WHERE "Outcome" = 'Failed';
