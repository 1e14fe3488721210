-- after: correlated
CREATE TRIGGER "TR_done" AFTER INSERT ON "Ledger" WHEN NEW."CorrelationId" = 'stale' BEGIN SELECT RAISE(IGNORE); END;
