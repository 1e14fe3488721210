CREATE TEMPORARY TABLE "ProcessedIntegrationEvents" (id integer);
