CREATE TABLE "Ledger" ("Id" integer PRIMARY KEY, "Source" varchar(40) NOT NULL, "EventId" varchar(64) NOT NULL);
CREATE UNIQUE INDEX "UX_Ledger" ON "Ledger" ("EventId", "Source");
