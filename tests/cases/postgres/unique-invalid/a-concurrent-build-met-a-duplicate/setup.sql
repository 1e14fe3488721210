-- after: asset
DROP INDEX "UX_ProcessedEvents_EventId";
INSERT INTO "ProcessedIntegrationEvents" ("Id", "EventId", "EventType", "SourceService", "ProcessedOnUtc")
  SELECT gen_random_uuid(), '6f9619ff-8b86-4d01-b42d-00cf4fc964ff', 'T', 'S', now() FROM generate_series(1, 2);
-- next, which fails
CREATE UNIQUE INDEX CONCURRENTLY "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
