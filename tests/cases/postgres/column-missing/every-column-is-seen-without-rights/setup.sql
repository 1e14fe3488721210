-- after: asset
REVOKE ALL ON "ProcessedIntegrationEvents" FROM PUBLIC;
REVOKE USAGE ON SCHEMA public FROM PUBLIC;
