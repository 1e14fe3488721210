-- after: asset
CREATE TABLE "Aside" (what TEXT);
CREATE TRIGGER "TR_audit" AFTER INSERT ON "ProcessedIntegrationEvents" BEGIN INSERT INTO "Aside" VALUES (NEW."Tenant"); END;
-- next, which fails
INSERT INTO "ProcessedIntegrationEvents" VALUES ('a', 'b', 'e', NULL, NULL, 's', 'Processed', CURRENT_TIMESTAMP);
