-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `TenantId` mediumint;
