-- after: asset
GRANT REFERENCES ON `ProcessedIntegrationEvents` TO {role};
