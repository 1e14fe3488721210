CREATE TABLE "Ledger" ("EventId" TEXT NOT NULL PRIMARY KEY, "Outcome" TEXT NOT NULL,
  CONSTRAINT ck_any_case CHECK (outcome COLLATE NOCASE IN ('processed', 'duplicate', 'stale')),
  CONSTRAINT ck_case CHECK (outcome IN ('processed', 'duplicate', 'stale')),
  CONSTRAINT ck_further CHECK ("Outcome" IN ('Processed', 'Duplicate') AND length("EventId") > 3),
  CONSTRAINT ck_not CHECK ([Outcome] <> 'Stale'),
  CONSTRAINT ck_iif CHECK (iif(`Outcome` == 'Failed', 0, 1)));
