-- after: asset
CREATE FUNCTION pass() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
CREATE TRIGGER "TR_pass" BEFORE INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION pass();
ALTER TABLE "ProcessedIntegrationEvents" ENABLE ALWAYS TRIGGER "TR_pass";
