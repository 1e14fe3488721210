-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "EventId" TYPE bytea USING NULL;
