-- after: asset
CREATE TABLE audit (what text);
CREATE TABLE aside (what text);
CREATE ROLE {role};
GRANT INSERT (what) ON aside TO {role};
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN INSERT INTO audit VALUES (1); RETURN NULL; END $$;
CREATE FUNCTION g() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN INSERT INTO aside (what) VALUES (1); RETURN NULL; END $$;
ALTER FUNCTION f() OWNER TO {role};
ALTER FUNCTION g() OWNER TO {role};
CREATE TRIGGER "TR_forbidden" AFTER INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION f();
CREATE TRIGGER "TR_allowed" AFTER INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION g();
-- next, which fails
INSERT INTO "ProcessedIntegrationEvents" VALUES (gen_random_uuid(), gen_random_uuid(), 'e', NULL, NULL, 's', 'Processed', now());
