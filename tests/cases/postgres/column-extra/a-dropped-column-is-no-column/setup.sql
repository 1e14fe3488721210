-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD "Region" varchar(10) NOT NULL;
ALTER TABLE "ProcessedIntegrationEvents" DROP "Region";
