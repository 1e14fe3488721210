-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD CONSTRAINT `CK_Type` CHECK (`EventType` IS NOT NULL),
  ADD CONSTRAINT `CK_Tenant` CHECK (`TenantId` IS NULL OR `EventId` IS NOT NULL),
  ADD CONSTRAINT `CK_Correlation` CHECK (`CorrelationId` <> '');
