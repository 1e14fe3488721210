CREATE TABLE "Ledger" ("EventId" varchar(64) PRIMARY KEY, "Größe" integer NOT NULL);
