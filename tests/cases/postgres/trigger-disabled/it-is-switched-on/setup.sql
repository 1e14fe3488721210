-- after: asset
CREATE FUNCTION pass() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
CREATE TRIGGER "TR_on" BEFORE INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION pass();
ALTER TABLE "ProcessedIntegrationEvents" DISABLE TRIGGER "TR_on", ENABLE TRIGGER "TR_on";
