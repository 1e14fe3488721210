-- after: asset
CREATE SCHEMA trail;
CREATE TABLE trail.kept (what text);
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW."EventType" = 'X' THEN INSERT INTO gone VALUES (1); END IF; RETURN NULL; END $$;
CREATE FUNCTION g() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO gone VALUES (1); RETURN NULL; EXCEPTION WHEN others THEN RETURN NULL; END $$;
CREATE FUNCTION h() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO gone VALUES (1); RETURN NULL; END $$;
CREATE FUNCTION i() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW."EventType" = 'X' THEN EXECUTE 'INSERT INTO gone VALUES (1)'; END IF; RETURN NULL; END $$;
CREATE FUNCTION j() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW."EventType" = 'X' THEN INSERT INTO kept VALUES (1); END IF; RETURN NULL; END $$;
CREATE TRIGGER "TR_branch" AFTER INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION f();
CREATE TRIGGER "TR_handled" AFTER INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION g();
CREATE TRIGGER "TR_when" AFTER INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW WHEN (NEW."Outcome" = 'Stale') EXECUTE FUNCTION h();
CREATE TRIGGER "TR_text" AFTER INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION i();
CREATE TRIGGER "TR_path" AFTER INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION j();
-- next
INSERT INTO "ProcessedIntegrationEvents" VALUES (gen_random_uuid(), gen_random_uuid(), 'e', NULL, NULL, 's', 'Processed', now());
