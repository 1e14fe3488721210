-- The asset ledger as EF Core makes it.
CREATE TABLE "ProcessedIntegrationEvents" (
  "Id" TEXT NOT NULL CONSTRAINT "PK_ProcessedIntegrationEvents" PRIMARY KEY,
  "EventId" TEXT NOT NULL,
  "EventType" TEXT NOT NULL,
  "TenantId" INTEGER NULL,
  "CorrelationId" TEXT NULL,
  "SourceService" TEXT NOT NULL,
  "Outcome" TEXT NOT NULL DEFAULT 'Processed',
  "ProcessedOnUtc" TEXT NOT NULL
);
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
