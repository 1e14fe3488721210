-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "EventType" TYPE text;
