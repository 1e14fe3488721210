-- after: asset
CREATE TABLE "Aside" (what TEXT);
CREATE TRIGGER "TR_audit" AFTER INSERT ON "ProcessedIntegrationEvents" WHEN NEW."Outcome" = 'Stale' BEGIN INSERT INTO "Audit" VALUES (NEW."EventType"); END;
-- next, which fails
INSERT INTO "ProcessedIntegrationEvents" VALUES ('a', 'b', 'e', NULL, NULL, 's', 'Processed', CURRENT_TIMESTAMP);
