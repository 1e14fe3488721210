-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD COLUMN `Ticket` varchar(20) UNIQUE, ADD COLUMN `Batch` varchar(20) DEFAULT 'x' UNIQUE;
