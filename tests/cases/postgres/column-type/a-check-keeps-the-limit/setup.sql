-- after: asset
CREATE DOMAIN correlation AS text CHECK (length(VALUE) <= 160);
ALTER TABLE "ProcessedIntegrationEvents" ALTER "EventType" TYPE text, ADD CONSTRAINT "CK_Type" CHECK (char_length("EventType") <= 160),
  ALTER "SourceService" TYPE text, ADD CONSTRAINT "CK_Source" CHECK (char_length("SourceService") <= 120) NOT VALID,
  ALTER "CorrelationId" TYPE correlation;
