-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `EventType` varchar(160) NULL, MODIFY `SourceService` varchar(120) NULL CHECK (`SourceService` IS NOT NULL),
  ADD CONSTRAINT `CK_Type` CHECK (`EventType` IS NOT NULL AND `TenantId` IS NOT NULL);
