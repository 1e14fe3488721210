-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ENGINE=MEMORY;
