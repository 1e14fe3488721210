-- after: asset
CREATE FUNCTION folded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NEW."EventType" := lower(NEW."EventType"); RETURN NEW; END $$;
CREATE TRIGGER "TR_folded" BEFORE INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION folded();
