-- after: asset
CREATE EXTENSION btree_gist;
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT "EX_Tenant"
  EXCLUDE USING gist ("TenantId" WITH =, tstzrange("ProcessedOnUtc", 'infinity') WITH &&);
