-- after: asset
CREATE UNIQUE INDEX "UX_Wide" ON "ProcessedIntegrationEvents" ("EventId", "TenantId");
CREATE UNIQUE INDEX "UX_Wider" ON "ProcessedIntegrationEvents" (lower("EventType"), "Id");
