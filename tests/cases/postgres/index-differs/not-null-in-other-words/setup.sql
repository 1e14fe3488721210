-- after: notification
DROP INDEX "UX_ProcessedEvents_EventId", "IX_ProcessedEvents_Correlation";
CREATE UNIQUE INDEX "UX_ProcessedEvents_EventId" ON "ProcessedIntegrationEvents" ("EventId")
  WHERE NOT ("EventId" IS NULL) AND ("Outcome" IS NOT NULL OR "TenantId" = 'x');
CREATE INDEX "IX_ProcessedEvents_Correlation" ON "ProcessedIntegrationEvents" ("CorrelationId") WHERE NOT ("CorrelationId" IS NULL);
