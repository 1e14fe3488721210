CREATE TABLE "Ledger" ("EventId" TEXT PRIMARY KEY CHECK (+EventId NOTNULL), "Outcome" TEXT CHECK (coalesce("Outcome", '') NOT IN ('', 'x')));
