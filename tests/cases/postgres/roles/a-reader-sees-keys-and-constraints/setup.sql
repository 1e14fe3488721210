-- after: notification
GRANT SELECT ON "ProcessedIntegrationEvents" TO {role};
