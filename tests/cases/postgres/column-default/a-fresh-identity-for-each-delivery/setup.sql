-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "EventId" SET DEFAULT gen_random_uuid();
