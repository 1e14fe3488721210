CREATE TABLE "L" ("EventId" uuid, "TenantId" integer, "Kind" varchar(40) NOT NULL, "At" timestamptz NOT NULL, PRIMARY KEY ("EventId", "Kind"))
  PARTITION BY LIST ("Kind");
CREATE TABLE p0 PARTITION OF "L" FOR VALUES IN ('Processed');
CREATE TABLE p1 PARTITION OF "L" FOR VALUES IN ('Stale') PARTITION BY HASH ("EventId");
CREATE TABLE p1a PARTITION OF p1 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
-- next, which fails
INSERT INTO "L" SELECT gen_random_uuid(), 1, 'Stale', now() FROM generate_series(1, 100);
