-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ALTER `EventId` SET DEFAULT (uuid());
