-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD UNIQUE KEY `UX_Wide` (`EventId`, `TenantId`);
