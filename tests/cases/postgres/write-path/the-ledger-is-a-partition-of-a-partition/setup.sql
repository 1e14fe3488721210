CREATE TABLE whole ("EventId" uuid, "TenantId" integer, "Kind" varchar(40) NOT NULL, "At" timestamptz NOT NULL, PRIMARY KEY ("EventId", "Kind", "At"))
  PARTITION BY RANGE ("At");
CREATE TABLE y PARTITION OF whole FOR VALUES FROM ('2020-01-01') TO ('2021-01-01') PARTITION BY LIST ("Kind");
CREATE TABLE "L" PARTITION OF y FOR VALUES IN ('Processed', 'Stale');
-- next, which fails
INSERT INTO "L" SELECT gen_random_uuid(), 1, 'Stale', now() FROM generate_series(1, 100);
