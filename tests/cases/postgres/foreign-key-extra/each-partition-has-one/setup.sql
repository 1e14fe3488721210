CREATE TABLE "L" ("EventId" uuid, "TenantId" integer, "Kind" varchar(40) NOT NULL, "At" timestamptz NOT NULL, PRIMARY KEY ("EventId"))
  PARTITION BY HASH ("EventId");
CREATE TABLE p0 PARTITION OF "L" FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE p1 PARTITION OF "L" FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE TABLE "Tenants" ("Id" integer PRIMARY KEY);
ALTER TABLE p0 ADD CONSTRAINT fk_tenant FOREIGN KEY ("TenantId") REFERENCES "Tenants";
ALTER TABLE p1 ADD CONSTRAINT fk_tenant FOREIGN KEY ("TenantId") REFERENCES "Tenants";
-- next, which fails
INSERT INTO "L" SELECT gen_random_uuid(), 1, 'Stale', now() FROM generate_series(1, 100);
