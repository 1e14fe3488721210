CREATE TABLE "L" ("EventId" uuid, "TenantId" integer, "Kind" varchar(40) NOT NULL, "At" timestamptz NOT NULL, PRIMARY KEY ("EventId", "At"))
  PARTITION BY RANGE ("At");
CREATE TABLE p0 (LIKE "L", CHECK ("At" >= '2020-01-01' AND "At" < '9999-01-01'));
ALTER TABLE "L" ATTACH PARTITION p0 FOR VALUES FROM ('2020-01-01') TO ('9999-01-01');
