-- after: asset
DROP INDEX "UX_ProcessedEvents_EventId";
INSERT INTO "ProcessedIntegrationEvents" ("Id", "EventId", "EventType", "SourceService", "Outcome", "ProcessedOnUtc") VALUES
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000011', 'invoice.issued', 'billing', 'Processed', '2026-08-01 12:00:00'),
  ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000011', 'invoice.issued', 'billing', 'Processed', '2026-08-01 12:00:00'),
  ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000013', 'invoice.issued', 'billing', 'Stale', '2026-08-01 12:00:00');
