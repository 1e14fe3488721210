-- after: asset
CREATE UNIQUE INDEX "UX_there" ON "ProcessedIntegrationEvents" (("EventId" IS NOT NULL));
CREATE UNIQUE INDEX "UX_same" ON "ProcessedIntegrationEvents" (("EventId" = "Id"), ("Outcome" = 'Stale'));
CREATE UNIQUE INDEX "UX_beside" ON "ProcessedIntegrationEvents" ("EventId", ("Outcome" = 'Stale'));
