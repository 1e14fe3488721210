CREATE TABLE whole ("EventId" uuid, "TenantId" integer, "Kind" varchar(40) NOT NULL, "At" timestamptz NOT NULL, PRIMARY KEY ("EventId", "Kind"))
  PARTITION BY LIST ("Kind");
CREATE TABLE "L" PARTITION OF whole DEFAULT;
CREATE TABLE other PARTITION OF whole FOR VALUES IN ('Other');
