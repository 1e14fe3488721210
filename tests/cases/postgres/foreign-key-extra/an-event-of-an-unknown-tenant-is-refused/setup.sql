-- after: asset
CREATE TABLE "Tenants" ("Id" integer PRIMARY KEY);
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT "FK_Tenant" FOREIGN KEY ("TenantId") REFERENCES "Tenants";
