CREATE TABLE "Base" ("Id" uuid NOT NULL, "EventId" uuid NOT NULL);
CREATE TABLE "ProcessedIntegrationEvents" (
  "EventType" varchar(160) NOT NULL,
  "TenantId" integer,
  "CorrelationId" varchar(160),
  "SourceService" varchar(120) NOT NULL,
  "Outcome" varchar(40) NOT NULL DEFAULT 'Processed',
  "ProcessedOnUtc" timestamptz NOT NULL,
  PRIMARY KEY ("Id")
) INHERITS ("Base");
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
