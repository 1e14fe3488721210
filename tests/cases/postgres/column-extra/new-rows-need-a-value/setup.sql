-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD "Region" varchar(10);
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT "CK_Region" CHECK ("Region" IS NOT NULL) NOT VALID;
