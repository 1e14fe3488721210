-- after: asset
DROP INDEX "UX_ProcessedEvents_EventId";
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT "UX_ProcessedEvents_EventId" EXCLUDE USING btree ("EventId" WITH =);
CREATE UNIQUE INDEX "UX_Upsert" ON "ProcessedIntegrationEvents" ("EventId");
