CREATE TABLE "Tenants" ("Id" integer PRIMARY KEY);
CREATE SCHEMA ledger;
CREATE TABLE ledger."ProcessedIntegrationEvents" ("Id" uuid PRIMARY KEY, "EventId" uuid NOT NULL UNIQUE);
