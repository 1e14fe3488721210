-- after: asset
CREATE INDEX ix_ccold ON "ProcessedIntegrationEvents" ("ProcessedOnUtc");
