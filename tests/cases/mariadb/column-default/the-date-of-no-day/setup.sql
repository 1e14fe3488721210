-- after: asset
SET SESSION sql_mode = '';
ALTER TABLE `ProcessedIntegrationEvents` ALTER `ProcessedOnUtc` SET DEFAULT '0000-00-00 00:00:00';
