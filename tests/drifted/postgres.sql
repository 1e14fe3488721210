CREATE TABLE tenants (id integer PRIMARY KEY);
CREATE UNLOGGED TABLE "ProcessedIntegrationEvents" (
  "Id" uuid NOT NULL,
  "EventId" uuid,
  "EventType" character varying(100) NOT NULL,
  "TenantId" integer REFERENCES tenants,
  "CorrelationId" character varying(160),
  "SourceService" character varying(120) NOT NULL,
  "Outcome" character varying(40) NOT NULL,
  "ProcessedOnUtc" timestamp with time zone NOT NULL DEFAULT now(),
  "Note" text,
  CONSTRAINT "PK_ProcessedIntegrationEvents" PRIMARY KEY ("EventType"),
  CONSTRAINT "CK_Tenant" CHECK ("TenantId" > 0)
);
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId", "TenantId");
CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER "TR_swallow" BEFORE INSERT ON "ProcessedIntegrationEvents" FOR EACH ROW EXECUTE FUNCTION swallow();
ALTER TABLE "ProcessedIntegrationEvents" ENABLE ROW LEVEL SECURITY;
CREATE VIEW "Journal" AS SELECT "Id" FROM "ProcessedIntegrationEvents";
CREATE TABLE ledger_retention (ledger text PRIMARY KEY, horizon_seconds bigint, last_started_utc timestamptz,
  last_finished_utc timestamptz, last_deleted bigint, last_error text, runner text);
INSERT INTO ledger_retention VALUES ('ProcessedIntegrationEvents', 86400, now(), now(), NULL, 'the disk is full', 'night');
