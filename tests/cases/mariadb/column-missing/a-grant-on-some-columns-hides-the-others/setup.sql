-- after: asset
GRANT SELECT (`Id`, `EventId`) ON `ProcessedIntegrationEvents` TO {role};
