-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ALTER `CorrelationId` SET DEFAULT 'NULL';
