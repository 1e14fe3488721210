CREATE DOMAIN source AS text NOT NULL CHECK (VALUE <> 'billing');
CREATE TABLE "Ledger" ("EventId" bigint PRIMARY KEY, "Source" source, "Gone" int NOT NULL DEFAULT 0,
  "Outcome" varchar(10) CHECK ("Outcome" IS NOT NULL));
