-- after: correlated
CREATE TRIGGER "TR_skip" BEFORE INSERT ON "Ledger" WHEN NEW."CorrelationId" = 'stale' BEGIN SELECT RAISE(IGNORE); END;
