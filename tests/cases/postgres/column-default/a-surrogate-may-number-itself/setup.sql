-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "Id" SET DEFAULT gen_random_uuid();
