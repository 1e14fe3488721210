-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT "CK_Outcome" CHECK ("Outcome" IS NOT NULL),
  ADD CONSTRAINT "CK_Both" CHECK (NOT ("EventType" IS NULL) AND "SourceService" IS NOT NULL),
  ADD CONSTRAINT "CK_Id" CHECK ("EventId" IS NOT NULL) NOT VALID;
