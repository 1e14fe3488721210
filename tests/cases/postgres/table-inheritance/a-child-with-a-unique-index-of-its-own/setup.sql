-- after: asset
CREATE TABLE "PIE_2026" (PRIMARY KEY ("Id"), UNIQUE ("EventId")) INHERITS ("ProcessedIntegrationEvents");
