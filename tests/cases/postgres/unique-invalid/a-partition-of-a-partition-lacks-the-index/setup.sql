CREATE TABLE "ProcessedIntegrationEvents" (
  "Id" uuid, "EventId" uuid, "EventType" varchar(160) NOT NULL, "TenantId" integer, "CorrelationId" varchar(160),
  "SourceService" varchar(120) NOT NULL, "Outcome" varchar(40) NOT NULL DEFAULT 'Processed', "ProcessedOnUtc" timestamptz NOT NULL,
  PRIMARY KEY ("Id", "EventId")
) PARTITION BY HASH ("EventId");
CREATE TABLE p0 PARTITION OF "ProcessedIntegrationEvents" FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE p1 PARTITION OF "ProcessedIntegrationEvents" FOR VALUES WITH (MODULUS 2, REMAINDER 1) PARTITION BY HASH ("EventId");
CREATE TABLE p1a PARTITION OF p1 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE p1b PARTITION OF p1 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON ONLY "ProcessedIntegrationEvents" ("EventId");
CREATE UNIQUE INDEX p0_event ON p0 ("EventId");
CREATE UNIQUE INDEX p1_event ON ONLY p1 ("EventId");
CREATE UNIQUE INDEX p1a_event ON p1a ("EventId");
ALTER INDEX p1_event ATTACH PARTITION p1a_event;
ALTER INDEX "UX_ProcessedEvents_EventId" ATTACH PARTITION p0_event;
ALTER INDEX "UX_ProcessedEvents_EventId" ATTACH PARTITION p1_event;
