CREATE TABLE "ProcessedIntegrationEvents" (
  "Id" uuid, "EventId" uuid, "EventType" varchar(160) NOT NULL, "TenantId" integer, "CorrelationId" varchar(160),
  "SourceService" varchar(120) NOT NULL, "Outcome" varchar(40) NOT NULL DEFAULT 'Processed', "ProcessedOnUtc" timestamptz NOT NULL,
  PRIMARY KEY ("Id", "EventId")
) PARTITION BY HASH ("EventId");
CREATE TABLE p0 PARTITION OF "ProcessedIntegrationEvents" FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE p1 PARTITION OF "ProcessedIntegrationEvents" FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
CREATE UNIQUE INDEX ux_p0 ON p0 ("CorrelationId");
CREATE UNIQUE INDEX ux_p1 ON p1 ("EventId", "Outcome");
