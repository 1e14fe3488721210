-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `EventId` varchar(36) CHARACTER SET ascii NOT NULL;
