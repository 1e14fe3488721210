-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` DROP PRIMARY KEY, ADD PRIMARY KEY (`Id`, `ProcessedOnUtc`),
  DROP KEY `UX_ProcessedEvents_EventId`, ADD UNIQUE KEY `UX_ProcessedEvents_EventId` (`EventId`, `ProcessedOnUtc`);
ALTER TABLE `ProcessedIntegrationEvents` PARTITION BY RANGE COLUMNS (`ProcessedOnUtc`)
  (PARTITION p0 VALUES LESS THAN ('2026-01-01'), PARTITION p1 VALUES LESS THAN (MAXVALUE));
