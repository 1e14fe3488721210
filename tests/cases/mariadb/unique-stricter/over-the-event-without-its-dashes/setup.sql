-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `EventId` uuid NOT NULL,
  ADD `Short` char(36) AS (replace(`EventId`, '-', '')) STORED, ADD UNIQUE KEY `UX_Short` (`Short`),
  ADD `ShortType` varchar(160) AS (replace(`EventType`, '-', '')) STORED, ADD UNIQUE KEY `UX_Type` (`ShortType`);
