-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `ProcessedOnUtc` timestamp(6) NOT NULL DEFAULT '2000-01-01';
