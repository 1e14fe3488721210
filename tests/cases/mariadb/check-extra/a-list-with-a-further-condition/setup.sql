-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD CONSTRAINT `CK_Outcome` CHECK (`Outcome` IN ('Processed', 'Duplicate') AND `TenantId` > 0),
  ADD CONSTRAINT `CK_Source` CHECK (`Outcome` IN ('Processed', 'Duplicate', 'Stale') AND `SourceService` REGEXP '^[a-z]'),
  ADD CONSTRAINT `CK_not` CHECK (`Outcome` NOT IN ('Stale', 'Failed')),
  ADD CONSTRAINT `CK_length` CHECK (length(`Outcome`) < 30);
