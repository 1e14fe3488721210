-- after: asset
CREATE UNIQUE INDEX "UX_Text" ON "ProcessedIntegrationEvents" (upper("EventId"::text), "SourceService");
