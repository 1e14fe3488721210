-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "EventType" TYPE varchar, ADD CONSTRAINT "CK_Type" CHECK (char_length("EventType") <= 160),
  ALTER "SourceService" TYPE varchar, ADD CONSTRAINT "CK_Source" CHECK (char_length("SourceService") <= 200);
