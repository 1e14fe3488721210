-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD CONSTRAINT `CK_Outcome` CHECK (`Outcome` IN ('processed', 'DUPLICATE', 'stale')),
  ADD CONSTRAINT `CK_Exact` CHECK (BINARY `Outcome` IN ('processed', 'duplicate', 'stale')),
  ADD CONSTRAINT `CK_Collated` CHECK (`Outcome` COLLATE utf8mb4_bin = 'Processed' OR `Outcome` = 'duplicate' OR `Outcome` = 'stale');
