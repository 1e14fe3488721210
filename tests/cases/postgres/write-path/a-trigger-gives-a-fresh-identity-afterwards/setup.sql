-- after: asset
CREATE FUNCTION fresh() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN UPDATE "ProcessedIntegrationEvents" SET "EventId" = gen_random_uuid() WHERE "Id" = NEW."Id"; RETURN NULL; END $$;
CREATE TRIGGER "TR_fresh" AFTER INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION fresh();
