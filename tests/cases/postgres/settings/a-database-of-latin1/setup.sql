-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD "Größe" integer DEFAULT 1;
