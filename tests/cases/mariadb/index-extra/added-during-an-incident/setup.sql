-- after: asset
CREATE INDEX ix_incident ON `ProcessedIntegrationEvents` (`ProcessedOnUtc`);
CREATE FULLTEXT INDEX ix_words ON `ProcessedIntegrationEvents` (`EventType`);
