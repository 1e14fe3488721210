-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ENGINE=MyISAM;
