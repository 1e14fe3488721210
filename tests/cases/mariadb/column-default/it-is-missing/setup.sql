-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ALTER `Outcome` DROP DEFAULT;
