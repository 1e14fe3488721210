-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ENABLE ROW LEVEL SECURITY;
