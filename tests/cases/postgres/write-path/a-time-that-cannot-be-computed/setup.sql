CREATE TABLE "L" ("EventId" uuid NOT NULL, "TenantId" integer, "Kind" varchar(40) NOT NULL, "At" timestamptz NOT NULL)
  PARTITION BY RANGE ((("At" AT TIME ZONE 'UTC') - interval '100 years'));
CREATE TABLE p0 PARTITION OF "L" FOR VALUES FROM ('2020-01-01') TO ('9000-01-01');
-- next, which fails
INSERT INTO "L" SELECT gen_random_uuid(), 1, 'Stale', now() FROM generate_series(1, 100);
