-- after: asset
GRANT INSERT ON `ProcessedIntegrationEvents` TO {role};
