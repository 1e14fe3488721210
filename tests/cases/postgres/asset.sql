-- The asset ledger as EF Core (Npgsql) makes it.
CREATE TABLE "ProcessedIntegrationEvents" (
  "Id" uuid NOT NULL,
  "EventId" uuid NOT NULL,
  "EventType" character varying(160) NOT NULL,
  "TenantId" integer,
  "CorrelationId" character varying(160),
  "SourceService" character varying(120) NOT NULL,
  "Outcome" character varying(40) NOT NULL DEFAULT 'Processed',
  "ProcessedOnUtc" timestamp with time zone NOT NULL,
  CONSTRAINT "PK_ProcessedIntegrationEvents" PRIMARY KEY ("Id")
);
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
