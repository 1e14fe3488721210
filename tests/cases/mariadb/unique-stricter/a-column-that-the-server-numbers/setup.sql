-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD `Seq` bigint NOT NULL AUTO_INCREMENT UNIQUE;
