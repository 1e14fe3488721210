CREATE TABLE "L" ("EventId" uuid, "TenantId" integer, "Kind" varchar(40) NOT NULL, "At" timestamptz NOT NULL, PRIMARY KEY ("EventId", "Kind"))
  PARTITION BY LIST ("Kind");
CREATE TABLE p0 ("Kind" varchar(40) NOT NULL, "EventId" uuid NOT NULL, "TenantId" integer, "At" timestamptz NOT NULL,
  CHECK ("Kind" IN ('Processed')));
ALTER TABLE "L" ATTACH PARTITION p0 FOR VALUES IN ('Processed');
CREATE TABLE p1 (LIKE "L", CHECK ("At" IS NOT NULL AND "At" >= '2020-01-01' AND "At" < '9999-01-01'));
ALTER TABLE "L" ATTACH PARTITION p1 FOR VALUES IN ('Stale');
ALTER TABLE p0 ADD CHECK ("Kind" <> 'Stale');
