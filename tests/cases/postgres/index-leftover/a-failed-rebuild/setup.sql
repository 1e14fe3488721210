-- after: asset
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId_ccnew" ON "ProcessedIntegrationEvents" ("EventId");
UPDATE pg_index SET indisvalid = false WHERE indexrelid = '"UX_ProcessedEvents_EventId_ccnew"'::regclass;
