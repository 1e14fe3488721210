-- after: asset
CREATE UNIQUE INDEX "UX_Correlation" ON "ProcessedIntegrationEvents" ("CorrelationId") WHERE "CorrelationId" IS NOT NULL;
