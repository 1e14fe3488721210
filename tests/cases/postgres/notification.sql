-- The notification ledger as EF Core (Npgsql) makes it.
CREATE TABLE "ProcessedIntegrationEvents" (
  "Id" uuid NOT NULL,
  "EventId" uuid NOT NULL,
  "EventType" character varying(160) NOT NULL,
  "TenantId" character varying(80),
  "CorrelationId" character varying(160),
  "SourceService" character varying(120) NOT NULL,
  "Outcome" character varying(40) NOT NULL,
  "MessagesCreated" integer NOT NULL,
  "ProcessedOnUtc" timestamp with time zone NOT NULL,
  CONSTRAINT "PK_ProcessedIntegrationEvents" PRIMARY KEY ("Id")
);
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
CREATE INDEX "IX_ProcessedEvents_Correlation" ON "ProcessedIntegrationEvents" ("CorrelationId");
