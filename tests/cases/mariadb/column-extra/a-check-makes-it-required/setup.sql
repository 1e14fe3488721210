-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD `Region` varchar(10) CHECK (`Region` IS NOT NULL), ADD `Note` text CHECK (`Note` <> '');
