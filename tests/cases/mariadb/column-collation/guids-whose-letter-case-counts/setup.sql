-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `EventId` char(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL;
