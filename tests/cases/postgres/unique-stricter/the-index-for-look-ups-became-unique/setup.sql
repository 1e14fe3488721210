-- after: notification
DROP INDEX "IX_ProcessedEvents_Correlation";
CREATE UNIQUE INDEX "IX_ProcessedEvents_Correlation" ON "ProcessedIntegrationEvents" ("CorrelationId");
