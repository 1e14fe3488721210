-- after: asset
CREATE FUNCTION new_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NEW."EventId" := gen_random_uuid(); RETURN NEW; END $$;
CREATE TRIGGER "TR_new_id" BEFORE INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION new_id();
