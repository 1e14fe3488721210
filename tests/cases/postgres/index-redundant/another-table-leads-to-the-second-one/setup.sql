-- after: asset
DROP INDEX "UX_ProcessedEvents_EventId";
CREATE UNIQUE INDEX "UX_Referenced" ON "ProcessedIntegrationEvents" ("EventId");
CREATE TABLE "Effects" ("EventId" uuid REFERENCES "ProcessedIntegrationEvents" ("EventId"));
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
