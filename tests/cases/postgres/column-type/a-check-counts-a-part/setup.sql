-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER COLUMN "EventType" TYPE text;
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT "CK_length" CHECK (char_length(btrim("EventType")) <= 160);
