-- after: asset
CREATE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER "TR_skip" BEFORE INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION skip();
ALTER TABLE "ProcessedIntegrationEvents" ENABLE ALWAYS TRIGGER "TR_skip";
