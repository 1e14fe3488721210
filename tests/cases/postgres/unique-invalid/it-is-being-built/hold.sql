BEGIN; SELECT count(*) FROM "ProcessedIntegrationEvents"; LOCK TABLE "ProcessedIntegrationEvents" IN ROW EXCLUSIVE MODE;
-- next, which waits
CREATE UNIQUE INDEX CONCURRENTLY "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId");
