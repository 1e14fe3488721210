-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD COLUMN "Region" text;
CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE DEBUG 'row'; RETURN NEW; END $$;
CREATE FUNCTION region() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN IF NEW."Region" IS NULL THEN NEW."Region" := 'eu'; END IF; RETURN NEW; END $$;
CREATE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER "TR_nothing" BEFORE INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION nothing();
CREATE TRIGGER "TR_region" BEFORE INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION region();
CREATE TRIGGER "TR_never" BEFORE INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW WHEN (false) EXECUTE FUNCTION skip();
