-- after: correlated
CREATE TRIGGER "TR_empty" AFTER INSERT ON "Ledger" BEGIN DELETE FROM "Ledger"; END;
