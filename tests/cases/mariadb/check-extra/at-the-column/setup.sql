-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `TenantId` int CHECK (`TenantId` > 0);
