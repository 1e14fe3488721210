-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `EventId` varbinary(16) NOT NULL;
