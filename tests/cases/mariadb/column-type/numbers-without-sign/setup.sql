-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `TenantId` int unsigned;
