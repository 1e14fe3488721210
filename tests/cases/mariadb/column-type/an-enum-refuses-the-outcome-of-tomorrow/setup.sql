-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `Outcome` enum('Processed', 'Duplicate', 'Stale') NOT NULL DEFAULT 'Processed',
  MODIFY `SourceService` set('a', 'b') NOT NULL;
