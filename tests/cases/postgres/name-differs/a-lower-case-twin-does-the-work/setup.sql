-- after: asset
DROP INDEX "UX_ProcessedEvents_EventId";
CREATE UNIQUE INDEX ux_processedevents_eventid ON "ProcessedIntegrationEvents" ("EventId");
CREATE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("TenantId");
