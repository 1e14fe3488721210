-- after: asset
CREATE FUNCTION pass() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
CREATE TRIGGER "TR_off" BEFORE INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION pass();
CREATE TRIGGER "TR_replica" BEFORE INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION pass();
CREATE RULE r_off AS ON INSERT TO "ProcessedIntegrationEvents" DO INSTEAD NOTHING;
ALTER TABLE "ProcessedIntegrationEvents" DISABLE TRIGGER "TR_off", ENABLE REPLICA TRIGGER "TR_replica", DISABLE RULE r_off;
