-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `EventType` text NOT NULL, MODIFY `CorrelationId` char(160);
