-- after: asset
DROP INDEX "UX_ProcessedEvents_EventId";
ALTER TABLE "ProcessedIntegrationEvents" DROP COLUMN "EventId", ADD COLUMN "EventId" bigint NOT NULL;
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
