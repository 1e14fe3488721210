-- after: asset
CREATE EXTENSION "uuid-ossp";
ALTER TABLE "ProcessedIntegrationEvents" ALTER "EventId" SET DEFAULT uuid_generate_v4();
