-- after: asset
CREATE UNIQUE INDEX "UX_Short" ON "ProcessedIntegrationEvents" (left("EventId"::text, 8), "SourceService");
