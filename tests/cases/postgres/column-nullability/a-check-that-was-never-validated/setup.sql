-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "EventType" DROP NOT NULL,
  ADD CONSTRAINT "CK_EventType" CHECK ("EventType" IS NOT NULL) NOT VALID;
