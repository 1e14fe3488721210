-- after: asset
CREATE VIEW "Latest" AS SELECT * FROM "ProcessedIntegrationEvents" ORDER BY "ProcessedOnUtc" DESC LIMIT 5;
