-- after: asset
CREATE TRIGGER `TR_audit` AFTER DELETE ON `ProcessedIntegrationEvents` FOR EACH ROW SET @x = "gone";
ALTER TABLE `ProcessedIntegrationEvents` ADD CONSTRAINT `CK_Outcome` CHECK (`Outcome` IN ("Processed", "Duplicate", "Stale"));
