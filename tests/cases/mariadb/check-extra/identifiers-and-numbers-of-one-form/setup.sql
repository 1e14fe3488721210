-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD CONSTRAINT `CK_bytes` CHECK (octet_length(`EventId`) = 36),
  ADD CONSTRAINT `CK_dashes` CHECK (`EventId` LIKE '________-____-____-____-____________'), ADD CONSTRAINT `CK_length` CHECK (char_length(`EventId`) = 36),
  ADD CONSTRAINT `CK_short` CHECK (char_length(`EventId`) = 32), ADD CONSTRAINT `CK_some` CHECK (`EventId` LIKE '0%'),
  ADD CONSTRAINT `CK_range` CHECK (`TenantId` BETWEEN -2147483648 AND 2147483647), ADD CONSTRAINT `CK_tenant` CHECK (`TenantId` > 0);
