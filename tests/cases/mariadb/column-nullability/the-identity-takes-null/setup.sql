-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `EventId` char(36) CHARACTER SET ascii NULL;
