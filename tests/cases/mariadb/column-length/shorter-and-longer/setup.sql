-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `EventType` varchar(60) NOT NULL, MODIFY `SourceService` varchar(255) NOT NULL;
