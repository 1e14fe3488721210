CREATE TABLE "L" ("EventId" uuid NOT NULL, "TenantId" integer, "Kind" varchar(40) NOT NULL, "At" timestamptz NOT NULL)
  PARTITION BY RANGE ("TenantId");
CREATE TABLE p0 PARTITION OF "L" FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
CREATE UNIQUE INDEX "UX" ON "L" ("EventId", "TenantId");
-- next, which fails
INSERT INTO "L" SELECT gen_random_uuid(), NULL, 'Stale', now() FROM generate_series(1, 100);
