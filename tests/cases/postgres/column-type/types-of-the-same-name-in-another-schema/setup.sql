CREATE SCHEMA lookalike;
CREATE TYPE lookalike.uuid AS (a integer);
CREATE DOMAIN lookalike."timestamptz" AS pg_catalog.text;
CREATE TABLE "ProcessedIntegrationEvents" (
  "Id" uuid PRIMARY KEY,
  "EventId" lookalike.uuid NOT NULL,
  "EventType" varchar(160) NOT NULL,
  "TenantId" integer,
  "CorrelationId" varchar(160),
  "SourceService" varchar(120) NOT NULL,
  "Outcome" varchar(40) NOT NULL DEFAULT 'Processed',
  "ProcessedOnUtc" lookalike."timestamptz" NOT NULL
);
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
