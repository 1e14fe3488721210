-- after: correlated
CREATE TRIGGER "TR_fresh" AFTER INSERT ON "Ledger" BEGIN
  UPDATE "Ledger" SET "EventId" = lower(hex(randomblob(16))) WHERE "Id" = NEW."Id";
END;
