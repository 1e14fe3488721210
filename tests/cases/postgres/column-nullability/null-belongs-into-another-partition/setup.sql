CREATE TABLE "L" ("EventId" uuid NOT NULL, "TenantId" integer, "Kind" varchar(40) NOT NULL, "At" timestamptz NOT NULL)
  PARTITION BY LIST ("TenantId");
CREATE TABLE p0 PARTITION OF "L" ("TenantId" NOT NULL) FOR VALUES IN (1, 2);
CREATE TABLE p1 PARTITION OF "L" FOR VALUES IN (NULL);
CREATE TABLE p2 PARTITION OF "L" (CHECK ("TenantId" IS NOT NULL)) DEFAULT;
CREATE UNIQUE INDEX "UX" ON "L" ("EventId", "TenantId");
-- next
INSERT INTO "L" VALUES (gen_random_uuid(), NULL, 'Stale', now()), (gen_random_uuid(), 3, 'Stale', now());
