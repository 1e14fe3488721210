CREATE TABLE "Ledger" ("Id" uuid NOT NULL PRIMARY KEY, "EventId" uuid NOT NULL, "Outcome" varchar(40) NOT NULL, "Number" integer NOT NULL, "At" timestamptz NOT NULL);
CREATE UNIQUE INDEX "UX_computed" ON "Ledger" ("EventId") WHERE length("Outcome") > 0;
CREATE UNIQUE INDEX "UX_other" ON "Ledger" ("EventId") WHERE "Number" > 1;
CREATE INDEX "IX_other" ON "Ledger" ("EventId") WHERE "Outcome" = 'Failed';
