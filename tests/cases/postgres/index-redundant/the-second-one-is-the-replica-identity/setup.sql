-- after: asset
CREATE UNIQUE INDEX "UX_Replica" ON "ProcessedIntegrationEvents" ("EventId");
ALTER TABLE "ProcessedIntegrationEvents" REPLICA IDENTITY USING INDEX "UX_Replica";
