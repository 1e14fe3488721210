-- after: asset
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId1" ON "ProcessedIntegrationEvents" ("EventId");
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId2" ON "ProcessedIntegrationEvents" ("EventId");
CREATE INDEX "IX_EventId" ON "ProcessedIntegrationEvents" ("EventId");
