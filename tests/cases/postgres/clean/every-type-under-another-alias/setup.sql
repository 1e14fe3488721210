CREATE TABLE "ProcessedIntegrationEvents" (
  "Id" uuid PRIMARY KEY,
  "EventId" uuid NOT NULL,
  "EventType" varchar(160) NOT NULL,
  "TenantId" int4,
  "CorrelationId" pg_catalog.varchar(160),
  "SourceService" varchar(120) NOT NULL,
  "Outcome" varchar(40) NOT NULL DEFAULT 'Processed'::text,
  "ProcessedOnUtc" timestamptz(6) NOT NULL
);
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" USING btree ("EventId" ASC NULLS LAST);
