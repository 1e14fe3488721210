CREATE TABLE "ProcessedIntegrationEvents" (
  "Id" TEXT NOT NULL PRIMARY KEY,
  "EventId" TEXT NOT NULL,
  "EventType" TEXT NOT NULL,
  "TenantId" INTEGER,
  "CorrelationId" TEXT,
  "SourceService" TEXT NOT NULL,
  "Outcome" TEXT NOT NULL DEFAULT 'Processed',
  "ProcessedOnUtc" TEXT NOT NULL,
  CONSTRAINT "CK_length" CHECK (length("EventId") = 36 AND typeof("EventId") = 'text'),
  CONSTRAINT "CK_short" CHECK (length("EventId") = 32),
  CONSTRAINT "CK_number" CHECK (typeof("TenantId") IN ('integer', 'null')),
  CONSTRAINT "CK_range" CHECK ("TenantId" >= -2147483648 AND 2147483647 >= "TenantId")
);
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
