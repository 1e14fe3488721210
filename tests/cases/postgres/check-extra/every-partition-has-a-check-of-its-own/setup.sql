CREATE TABLE "L" ("EventId" uuid, "TenantId" integer, "Kind" varchar(40) NOT NULL, "At" timestamptz NOT NULL, PRIMARY KEY ("EventId"))
  PARTITION BY HASH ("EventId");
DO $$ BEGIN
  FOR n IN 0..199 LOOP
    EXECUTE format('CREATE TABLE p%s PARTITION OF "L" FOR VALUES WITH (MODULUS 200, REMAINDER %s)', n, n);
    EXECUTE format('ALTER TABLE p%s ADD CHECK ("Kind" = ''Processed''), ALTER "TenantId" SET NOT NULL', n);
    EXECUTE format('CREATE UNIQUE INDEX ON p%s ("TenantId")', n);
  END LOOP;
END $$;
