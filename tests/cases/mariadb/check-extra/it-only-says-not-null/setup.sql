-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD CONSTRAINT `CK_Outcome` CHECK (`Outcome` IS NOT NULL), ADD CONSTRAINT `CK_Both` CHECK (NOT (`EventType` IS NULL) AND `EventId` IS NOT NULL);
