CREATE TABLE whole ("EventId" uuid, "TenantId" integer, "Kind" varchar(40) NOT NULL, "At" timestamptz NOT NULL, PRIMARY KEY ("EventId"))
  PARTITION BY HASH ("EventId");
CREATE TABLE "L" PARTITION OF whole FOR VALUES WITH (MODULUS 4, REMAINDER 0);
-- next, which fails
INSERT INTO "L" SELECT gen_random_uuid(), 1, 'Stale', now() FROM generate_series(1, 100);
