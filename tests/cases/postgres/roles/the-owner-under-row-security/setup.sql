-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" OWNER TO {role};
CREATE POLICY nobody ON "ProcessedIntegrationEvents" USING (false);
ALTER TABLE "ProcessedIntegrationEvents" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
