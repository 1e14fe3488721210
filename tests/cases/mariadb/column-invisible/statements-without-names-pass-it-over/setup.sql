-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `CorrelationId` varchar(160) INVISIBLE,
  MODIFY `Outcome` varchar(40) NOT NULL DEFAULT 'Processed' INVISIBLE;
