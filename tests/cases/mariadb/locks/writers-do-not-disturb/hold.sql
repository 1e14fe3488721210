BEGIN;
INSERT INTO `ProcessedIntegrationEvents` (`Id`, `EventId`, `EventType`, `SourceService`, `ProcessedOnUtc`) VALUES ('a', 'b', 'c', 'd', now(6));
