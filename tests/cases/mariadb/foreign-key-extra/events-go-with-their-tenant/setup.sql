-- after: asset
CREATE TABLE `Tenants` (`Id` int PRIMARY KEY);
ALTER TABLE `ProcessedIntegrationEvents` ADD CONSTRAINT `FK_Tenant` FOREIGN KEY (`TenantId`) REFERENCES `Tenants` (`Id`) ON DELETE CASCADE;
