CREATE TABLE "Ledger" ("EventId" varchar(64) PRIMARY KEY, "Source" varchar(40) NOT NULL);
CREATE INDEX "IX_Ledger_with_a_name_that_is_longer_than_the_sixty_three_bytes_of_a_name" ON "Ledger" ("Source");
