-- after: asset
CREATE TABLE "PIE_2026" () INHERITS ("ProcessedIntegrationEvents");
