CREATE TABLE "Ledger" ("EventId" TEXT NOT NULL PRIMARY KEY, "Outcome" TEXT NOT NULL, CONSTRAINT ck CHECK ("Outcome" IN ('Processed', 'Duplicate', 'Stale')));
