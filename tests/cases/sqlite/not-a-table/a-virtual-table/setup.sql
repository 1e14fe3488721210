CREATE VIRTUAL TABLE "ProcessedIntegrationEvents" USING fts5("Id", "EventId");
