-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "EventId" DROP NOT NULL;
