CREATE TABLE tenants (id INTEGER PRIMARY KEY);
CREATE TABLE "ProcessedIntegrationEvents" (
  "Id" TEXT NOT NULL,
  "EventId" TEXT NULL,
  "EventType" BLOB NOT NULL CONSTRAINT "PK_ProcessedIntegrationEvents" PRIMARY KEY ON CONFLICT IGNORE,
  "TenantId" INTEGER NULL REFERENCES tenants CHECK ("TenantId" > 0),
  "CorrelationId" TEXT NULL,
  "SourceService" TEXT NOT NULL,
  "Outcome" TEXT NOT NULL,
  "ProcessedOnUtc" TEXT NOT NULL,
  "Note" TEXT NULL
);
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId", "TenantId");
CREATE TRIGGER "TR_swallow" BEFORE INSERT ON "ProcessedIntegrationEvents" BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER "TR_purge" AFTER INSERT ON "ProcessedIntegrationEvents" BEGIN
  DELETE FROM "ProcessedIntegrationEvents" WHERE "ProcessedOnUtc" < datetime('now', '-1 day');
END;
CREATE VIEW "Journal" AS SELECT "Id" FROM "ProcessedIntegrationEvents";
