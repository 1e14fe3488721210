-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "Outcome" SET DEFAULT 'processed';
