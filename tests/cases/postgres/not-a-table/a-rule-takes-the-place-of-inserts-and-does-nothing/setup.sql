-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" RENAME TO "LedgerRows";
CREATE VIEW "ProcessedIntegrationEvents" AS SELECT * FROM "LedgerRows";
CREATE RULE nothing AS ON INSERT TO "ProcessedIntegrationEvents" DO INSTEAD NOTHING;
