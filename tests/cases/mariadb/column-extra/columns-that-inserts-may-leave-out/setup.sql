-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD `Note` text, ADD `Region` varchar(10) NOT NULL DEFAULT 'eu',
  ADD `Day` date AS (date(`ProcessedOnUtc`)) VIRTUAL, ADD `Hour` int AS (hour(`ProcessedOnUtc`)) STORED,
  ADD `Seq` bigint NOT NULL AUTO_INCREMENT, ADD KEY (`Seq`);
