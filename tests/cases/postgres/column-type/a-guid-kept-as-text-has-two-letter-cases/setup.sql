-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "EventId" TYPE varchar(36);
