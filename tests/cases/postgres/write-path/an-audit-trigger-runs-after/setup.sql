-- after: asset
CREATE TABLE "Audit" (what text);
CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN INSERT INTO "Audit" VALUES (NEW."EventType"); RAISE NOTICE 'audited'; RETURN NULL; END $$;
CREATE TRIGGER "TR_audit" AFTER INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION audit();
