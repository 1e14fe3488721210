-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` DROP PRIMARY KEY, ADD PRIMARY KEY USING HASH (`Id` DESC);
