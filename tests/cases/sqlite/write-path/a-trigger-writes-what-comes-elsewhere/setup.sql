-- after: correlated
CREATE TABLE "Aside" ("EventId" TEXT);
CREATE TRIGGER "TR_aside" BEFORE INSERT ON "Ledger" BEGIN INSERT INTO "Aside" VALUES (NEW."EventId"); END;
