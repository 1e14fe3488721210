-- after: asset
CREATE FUNCTION skip_stale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN IF NEW."Outcome" = 'Stale' THEN RETURN NULL; END IF; RETURN NEW; END $$;
CREATE TRIGGER "TR_skip" BEFORE INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION skip_stale();
