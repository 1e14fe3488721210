-- after: correlated
CREATE TABLE "Effects" ("Id" INTEGER PRIMARY KEY, "LedgerId" INTEGER REFERENCES "Ledger" ON DELETE CASCADE);
