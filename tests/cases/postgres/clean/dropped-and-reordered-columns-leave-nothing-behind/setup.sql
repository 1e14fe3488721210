CREATE TABLE "ProcessedIntegrationEvents" (
  "Old" integer,
  "ProcessedOnUtc" timestamptz NOT NULL,
  "Outcome" varchar(40) NOT NULL DEFAULT 'Processed',
  "EventId" uuid NOT NULL,
  "Gone" text UNIQUE DEFAULT 'x' CHECK ("Gone" <> ''),
  "SourceService" varchar(120) NOT NULL,
  "EventType" varchar(160) NOT NULL
);
ALTER TABLE "ProcessedIntegrationEvents" DROP COLUMN "Old", DROP COLUMN "Gone";
ALTER TABLE "ProcessedIntegrationEvents"
  ADD COLUMN "Id" uuid CONSTRAINT "PK_ProcessedIntegrationEvents" PRIMARY KEY,
  ADD COLUMN "TenantId" integer,
  ADD COLUMN "CorrelationId" varchar(160);
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
