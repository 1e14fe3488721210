-- after: asset
CREATE UNIQUE INDEX "UX_there" ON "ProcessedIntegrationEvents" ("EventId" IS NOT NULL);
CREATE UNIQUE INDEX "UX_beside" ON "ProcessedIntegrationEvents" ("EventId", "Outcome" = 'Stale');
