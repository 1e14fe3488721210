-- after: asset
CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW."ProcessedOnUtc" := now(); RETURN NEW; END $$;
CREATE TRIGGER "TR_stamp" BEFORE UPDATE ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION stamp();
