-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `ProcessedOnUtc` datetime(6) NOT NULL ON UPDATE CURRENT_TIMESTAMP(6);
