CREATE TABLE "ProcessedIntegrationEvents" (
  "Id" uuid, "EventId" uuid, "EventType" varchar(160) NOT NULL, "TenantId" integer, "CorrelationId" varchar(160),
  "SourceService" varchar(120) NOT NULL, "Outcome" varchar(40) NOT NULL DEFAULT 'Processed', "ProcessedOnUtc" timestamptz NOT NULL,
  PRIMARY KEY ("Id", "EventId")
) PARTITION BY HASH ("EventId");
CREATE TABLE p0 PARTITION OF "ProcessedIntegrationEvents" FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE p1 PARTITION OF "ProcessedIntegrationEvents" FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON ONLY "ProcessedIntegrationEvents" ("EventId");
CREATE UNIQUE INDEX p0_event ON p0 ("EventId");
CREATE UNIQUE INDEX p1_event ON p1 ("EventId");
