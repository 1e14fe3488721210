-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT "CK_Time" CHECK ("ProcessedOnUtc" > '2020-01-01') NOT VALID;
