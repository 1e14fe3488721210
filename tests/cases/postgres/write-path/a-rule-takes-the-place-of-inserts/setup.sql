-- after: asset
CREATE RULE no_duplicates AS ON INSERT TO "ProcessedIntegrationEvents"
  WHERE EXISTS (SELECT FROM "ProcessedIntegrationEvents" AS p WHERE p."EventId" = NEW."EventId") DO INSTEAD NOTHING;
