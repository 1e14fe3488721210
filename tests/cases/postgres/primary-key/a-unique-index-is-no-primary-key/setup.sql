-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" DROP CONSTRAINT "PK_ProcessedIntegrationEvents";
CREATE UNIQUE INDEX "UX_Id" ON "ProcessedIntegrationEvents" ("Id");
