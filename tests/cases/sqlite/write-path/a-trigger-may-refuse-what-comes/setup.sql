-- after: correlated
CREATE TRIGGER "TR_guard" AFTER INSERT ON "Ledger" BEGIN SELECT RAISE(ABORT, 'no') WHERE NEW."EventId" = 'x'; END;
