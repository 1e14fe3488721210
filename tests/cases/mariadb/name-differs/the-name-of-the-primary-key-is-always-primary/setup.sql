-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` DROP PRIMARY KEY, ADD CONSTRAINT `another_name` PRIMARY KEY (`Id`);
