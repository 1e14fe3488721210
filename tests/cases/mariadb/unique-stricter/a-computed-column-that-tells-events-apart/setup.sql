-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD `Copy` char(36) CHARACTER SET ascii AS (`EventId`) STORED, ADD UNIQUE KEY `UX_Copy` (`Copy`);
