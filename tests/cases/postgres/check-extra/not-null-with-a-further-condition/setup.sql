-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "EventType" DROP NOT NULL, ALTER "SourceService" DROP NOT NULL,
  ADD CONSTRAINT "CK_EventType" CHECK ("EventType" IS NOT NULL AND length("EventType") > 2),
  ADD CONSTRAINT "CK_Source" CHECK ("SourceService" IS NOT NULL AND length("SourceService") > 2) NOT VALID;
