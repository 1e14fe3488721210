-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` DROP PRIMARY KEY, ADD PRIMARY KEY (`Id`(8));
