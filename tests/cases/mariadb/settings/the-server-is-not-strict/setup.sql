-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `EventType` varchar(100) NOT NULL;
