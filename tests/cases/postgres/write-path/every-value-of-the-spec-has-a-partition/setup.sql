CREATE TABLE "L" ("EventId" uuid, "TenantId" integer, "Kind" varchar(40) NOT NULL, "At" timestamptz NOT NULL, PRIMARY KEY ("EventId", "Kind"))
  PARTITION BY LIST ("Kind");
CREATE TABLE p0 PARTITION OF "L" FOR VALUES IN ('Processed', 'Failed');
CREATE TABLE p1 PARTITION OF "L" FOR VALUES IN ('Stale');
