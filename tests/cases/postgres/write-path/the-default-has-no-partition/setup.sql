CREATE TABLE "L" ("EventId" uuid NOT NULL, "TenantId" integer NOT NULL DEFAULT 0, "Kind" varchar(40) NOT NULL, "At" timestamptz NOT NULL)
  PARTITION BY RANGE ("TenantId");
CREATE TABLE p0 PARTITION OF "L" FOR VALUES FROM (-9) TO (-1);
CREATE TABLE p1 PARTITION OF "L" FOR VALUES FROM (1) TO (MAXVALUE);
CREATE UNIQUE INDEX "UX" ON "L" ("EventId", "TenantId");
-- next, which fails
INSERT INTO "L" ("EventId", "Kind", "At") VALUES (gen_random_uuid(), 'Stale', now());
