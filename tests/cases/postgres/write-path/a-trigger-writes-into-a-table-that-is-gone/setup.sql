-- after: asset
CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN INSERT INTO "Audit" VALUES (NEW."EventType"); RETURN NULL; END $$;
CREATE TRIGGER "TR_audit" AFTER INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION audit();
-- next, which fails
INSERT INTO "ProcessedIntegrationEvents" VALUES (gen_random_uuid(), gen_random_uuid(), 'e', NULL, NULL, 's', 'Processed', now());
