-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` MODIFY `Id` uuid NOT NULL, MODIFY `EventId` binary(16) NOT NULL;
