-- after: asset
CREATE TABLE "Log" (what text);
CREATE RULE noted AS ON INSERT TO "ProcessedIntegrationEvents" DO ALSO INSERT INTO "Log" VALUES (NEW."EventType");
