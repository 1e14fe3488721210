CREATE TABLE "Ledger" ("EventId" TEXT NOT NULL PRIMARY KEY, "Outcome" TEXT NOT NULL,
  CONSTRAINT ck_case CHECK (CASE Outcome WHEN 'Stale' THEN 0 ELSE 1 END),
  CONSTRAINT ck_glob CHECK (Outcome NOT GLOB '* *'),
  CONSTRAINT ck_is CHECK (Outcome IS NOT 'Stale'),
  CONSTRAINT ck_length CHECK (typeof("EventId") = 'text' AND length("EventId") <= 32),
  CONSTRAINT ck_like CHECK ("Outcome" LIKE '%E%'),
  CONSTRAINT ck_quotes CHECK ("Outcome" IN ("Processed", "Duplicate")),
  CONSTRAINT ck_type CHECK (typeof("Outcome") = 'text'));
