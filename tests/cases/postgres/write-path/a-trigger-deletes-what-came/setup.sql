-- after: asset
CREATE FUNCTION gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN DELETE FROM "ProcessedIntegrationEvents" WHERE "Id" = NEW."Id"; RETURN NULL; END $$;
CREATE TRIGGER "TR_gone" AFTER INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION gone();
