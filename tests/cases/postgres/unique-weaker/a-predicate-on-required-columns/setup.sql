-- after: asset
DROP INDEX "UX_ProcessedEvents_EventId";
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId")
  WHERE "SourceService" IS NOT NULL AND "Id" IS NOT NULL;
