-- after: asset
CREATE UNIQUE INDEX "UX_Id" ON "ProcessedIntegrationEvents" ("Id");
