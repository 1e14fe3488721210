-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `CorrelationId` varchar(160) COMPRESSED, MODIFY `EventType` varchar(160) COMPRESSED=zlib NOT NULL;
