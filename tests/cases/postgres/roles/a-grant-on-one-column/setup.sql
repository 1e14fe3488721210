-- after: asset
GRANT SELECT ("Id") ON "ProcessedIntegrationEvents" TO {role};
