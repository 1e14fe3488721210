-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD `Short` int AS (char_length(`EventType`)) STORED, ADD UNIQUE KEY `UX_Short` (`Short`);
