CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER elsewhere FOREIGN DATA WRAPPER nowhere;
CREATE FOREIGN TABLE "ProcessedIntegrationEvents" ("Id" uuid NOT NULL, "EventId" uuid NOT NULL) SERVER elsewhere;
