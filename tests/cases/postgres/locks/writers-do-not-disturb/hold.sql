BEGIN;
LOCK TABLE "ProcessedIntegrationEvents" IN EXCLUSIVE MODE;
INSERT INTO "ProcessedIntegrationEvents" ("Id", "EventId", "EventType", "SourceService", "ProcessedOnUtc")
  VALUES (gen_random_uuid(), gen_random_uuid(), 'T', 'S', now());
