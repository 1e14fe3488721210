CREATE TABLE "Tenants" ("Id" integer PRIMARY KEY);
CREATE SEQUENCE "ProcessedIntegrationEvents";
