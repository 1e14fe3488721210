-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ENGINE=Aria TRANSACTIONAL=1;
