CREATE TABLE "ProcessedIntegrationEvent" ("Id" TEXT PRIMARY KEY);
