-- after: correlated
CREATE TRIGGER "TR_closed" BEFORE INSERT ON "Ledger" BEGIN SELECT RAISE(ABORT, 'the ledger is closed'); END;
-- next
CREATE TRIGGER "TR_drops" BEFORE INSERT ON "Ledger" BEGIN SELECT RAISE(IGNORE); END;
-- next
CREATE TRIGGER "TR_late" AFTER INSERT ON "Ledger" BEGIN SELECT 1; SELECT RAISE(ROLLBACK, 'it''s closed'); END;
-- next
CREATE TRIGGER "TR_some" AFTER INSERT ON "Ledger" BEGIN SELECT RAISE(ABORT, 'twice') FROM "Ledger" WHERE "EventId" = NEW."EventId" AND "Id" <> NEW."Id"; END;
