-- after: asset
CREATE UNIQUE INDEX "UX_New" ON "ProcessedIntegrationEvents" ("EventId");
UPDATE pg_index SET indisvalid = false WHERE indexrelid = '"UX_ProcessedEvents_EventId"'::regclass;
