-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" RENAME TO "LedgerRows";
CREATE VIEW "ProcessedIntegrationEvents" AS SELECT DISTINCT * FROM "LedgerRows";
CREATE RULE elsewhere AS ON INSERT TO "ProcessedIntegrationEvents" DO INSTEAD INSERT INTO "LedgerRows" SELECT NEW.*;
