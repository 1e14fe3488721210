-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `CorrelationId` varchar(160) CHARACTER SET binary, MODIFY `SourceService` blob NOT NULL;
