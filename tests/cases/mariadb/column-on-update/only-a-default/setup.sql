-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `ProcessedOnUtc` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6);
