-- after: correlated
CREATE TRIGGER "TR_gone" AFTER INSERT ON "Ledger" WHEN NEW."CorrelationId" = 'stale' BEGIN
  DELETE FROM "Ledger" WHERE "Id" = NEW."Id";
END;
