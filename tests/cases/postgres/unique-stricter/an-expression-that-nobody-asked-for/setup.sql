-- after: asset
CREATE UNIQUE INDEX "UX_Source" ON "ProcessedIntegrationEvents" (lower("SourceService"), "EventType");
