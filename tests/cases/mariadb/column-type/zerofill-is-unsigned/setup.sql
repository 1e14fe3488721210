-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `TenantId` int(10) zerofill;
