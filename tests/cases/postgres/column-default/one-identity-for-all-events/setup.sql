-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "EventId" SET DEFAULT '00000000-0000-0000-0000-000000000000';
