CREATE TABLE "Ledger" ("Id" uuid NOT NULL PRIMARY KEY, "EventId" uuid NOT NULL, "Outcome" varchar(40) NOT NULL, "Number" integer NOT NULL, "At" timestamptz NOT NULL);
CREATE UNIQUE INDEX "UX_time" ON "Ledger" ("EventId") WHERE "At" > '2026-01-01';
CREATE INDEX "IX_or" ON "Ledger" ("EventId") WHERE "Outcome" IN ('Stale', 'Failed');
CREATE INDEX "IX_and" ON "Ledger" ("EventId") WHERE "Outcome" <> 'Stale' AND 0 < "Number";
CREATE INDEX "IX_mixed" ON "Ledger" ("EventId") WHERE "Number" > 5 OR "Outcome" = 'Failed' OR "Outcome" = 'Stale';
