-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" DROP CONSTRAINT "PK_ProcessedIntegrationEvents", ADD PRIMARY KEY ("Id", "ProcessedOnUtc");
