CREATE TABLE "ProcessedIntegrationEvents" (
  "Id" uuid NOT NULL,
  "EventId" uuid NOT NULL,
  "EventType" varchar(160) NOT NULL,
  "TenantId" integer,
  "CorrelationId" varchar(160),
  "SourceService" varchar(120) NOT NULL,
  "Outcome" varchar(40) NOT NULL DEFAULT 'Processed',
  "ProcessedOnUtc" timestamptz NOT NULL,
  PRIMARY KEY ("Id", "ProcessedOnUtc")
) PARTITION BY RANGE ("ProcessedOnUtc");
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId", "ProcessedOnUtc");
CREATE TABLE "PIE_old" PARTITION OF "ProcessedIntegrationEvents" FOR VALUES FROM (MINVALUE) TO ('2026-01-01');
CREATE TABLE "PIE_new" PARTITION OF "ProcessedIntegrationEvents" FOR VALUES FROM ('2026-01-01') TO (MAXVALUE);
