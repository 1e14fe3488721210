-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "ProcessedOnUtc" SET DEFAULT now();
