-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` CONVERT TO CHARACTER SET utf8mb3;
