-- after: asset
CREATE TABLE "PIE_2026" (LIKE "ProcessedIntegrationEvents" INCLUDING ALL);
