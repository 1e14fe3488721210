-- after: asset
CREATE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER "TR_on" BEFORE INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION skip();
ALTER TABLE "ProcessedIntegrationEvents" DISABLE TRIGGER "TR_on", ENABLE TRIGGER "TR_on";
