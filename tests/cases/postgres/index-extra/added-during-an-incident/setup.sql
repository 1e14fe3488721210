-- after: asset
CREATE INDEX ix_incident ON "ProcessedIntegrationEvents" ("ProcessedOnUtc");
CREATE INDEX ix_words ON "ProcessedIntegrationEvents" USING gin (to_tsvector('simple', "EventType"));
