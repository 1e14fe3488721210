-- after: notification
ALTER TABLE "ProcessedIntegrationEvents" ALTER "SourceService" DROP NOT NULL, ALTER "ProcessedOnUtc" DROP NOT NULL;
