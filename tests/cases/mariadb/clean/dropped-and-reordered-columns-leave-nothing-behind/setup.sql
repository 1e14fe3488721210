-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD `Gone` int NOT NULL FIRST, ADD KEY ix_gone (`Gone`, `EventId`);
ALTER TABLE `ProcessedIntegrationEvents` DROP KEY ix_gone, DROP `Gone`, MODIFY `ProcessedOnUtc` datetime(6) NOT NULL AFTER `Id`;
