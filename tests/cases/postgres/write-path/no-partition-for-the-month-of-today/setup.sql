CREATE TABLE "L" ("EventId" uuid NOT NULL, "TenantId" integer, "Kind" varchar(40) NOT NULL, "At" timestamptz NOT NULL)
  PARTITION BY RANGE (date_trunc('month', "At" AT TIME ZONE 'UTC'));
CREATE TABLE p0 PARTITION OF "L" FOR VALUES FROM ('2000-01-01') TO ('2000-02-01');
-- next, which fails
INSERT INTO "L" SELECT gen_random_uuid(), 1, 'Stale', now() FROM generate_series(1, 100);
