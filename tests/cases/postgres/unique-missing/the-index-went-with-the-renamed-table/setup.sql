-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" RENAME TO "InboxArchive";
CREATE TABLE "ProcessedIntegrationEvents" (LIKE "InboxArchive" INCLUDING DEFAULTS, PRIMARY KEY ("Id"));
