-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `Outcome` varchar(40) CHARACTER SET utf8mb3 NOT NULL DEFAULT 'Processed',
  MODIFY `SourceService` varchar(120) CHARACTER SET latin1 NOT NULL;
