-- after: asset
CREATE UNIQUE INDEX "UX_never" ON "ProcessedIntegrationEvents" ("CorrelationId") WHERE false;
CREATE UNIQUE INDEX "UX_empty" ON "ProcessedIntegrationEvents" ("SourceService") WHERE "EventId" IS NULL OR "Outcome" IS NULL;
CREATE UNIQUE INDEX "UX_some" ON "ProcessedIntegrationEvents" ("CorrelationId") WHERE "TenantId" IS NULL;
