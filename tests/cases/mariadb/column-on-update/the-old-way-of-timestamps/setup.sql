-- after: asset
SET SESSION explicit_defaults_for_timestamp = 0;
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `ProcessedOnUtc` timestamp(6) NOT NULL;
