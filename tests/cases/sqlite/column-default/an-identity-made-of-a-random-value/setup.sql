CREATE TABLE "ProcessedIntegrationEvents" (
  "Id" TEXT NOT NULL PRIMARY KEY,
  "EventId" TEXT NOT NULL DEFAULT (printf('e-%d', random())),
  "EventType" TEXT NOT NULL,
  "TenantId" INTEGER,
  "CorrelationId" TEXT,
  "SourceService" TEXT NOT NULL DEFAULT (hex(randomblob(4)) || '-' || hex(randomblob(2))),
  "Outcome" TEXT NOT NULL DEFAULT 'Processed',
  "ProcessedOnUtc" TEXT NOT NULL
);
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
