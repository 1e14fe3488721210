-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" SET UNLOGGED;
