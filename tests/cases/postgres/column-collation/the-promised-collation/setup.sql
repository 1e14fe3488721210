CREATE TABLE "Ledger" ("EventId" varchar(64) COLLATE "C" PRIMARY KEY, "Source" varchar(40) NOT NULL);
