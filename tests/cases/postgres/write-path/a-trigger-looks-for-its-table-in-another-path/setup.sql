-- after: asset
CREATE SCHEMA trail;
CREATE TABLE trail.kept (what text);
CREATE TABLE lost (what text);
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql SET search_path = "trail" AS $$ BEGIN INSERT INTO lost VALUES (1); RETURN NULL; END $$;
CREATE FUNCTION g() RETURNS trigger LANGUAGE plpgsql SET search_path = "trail" AS $$
BEGIN INSERT INTO kept VALUES (1); INSERT INTO public.lost VALUES (1); PERFORM pg_notify('a', 'b'); RETURN NULL; END $$;
CREATE TRIGGER "TR_lost" AFTER INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION f();
CREATE TRIGGER "TR_kept" AFTER INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION g();
-- next, which fails
INSERT INTO "ProcessedIntegrationEvents" VALUES (gen_random_uuid(), gen_random_uuid(), 'e', NULL, NULL, 's', 'Processed', now());
