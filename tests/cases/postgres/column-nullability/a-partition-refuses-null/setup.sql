CREATE TABLE "L" ("EventId" uuid, "TenantId" integer, "Kind" varchar(40) NOT NULL, "At" timestamptz NOT NULL, PRIMARY KEY ("EventId"))
  PARTITION BY HASH ("EventId");
CREATE TABLE p0 PARTITION OF "L" FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE p1 PARTITION OF "L" FOR VALUES WITH (MODULUS 2, REMAINDER 1);
ALTER TABLE p0 ALTER "TenantId" SET NOT NULL;
ALTER TABLE p1 ADD CHECK ("TenantId" IS NOT NULL) NOT VALID;
-- next, which fails
INSERT INTO "L" SELECT gen_random_uuid(), NULL, 'Stale', now() FROM generate_series(1, 100);
