CREATE TABLE "Ledger" ("EventId" TEXT NOT NULL PRIMARY KEY, "Outcome" TEXT NOT NULL CHECK ("Outcome" IN ('Processed', 'Duplicate')));
