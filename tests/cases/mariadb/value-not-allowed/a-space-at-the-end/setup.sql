-- after: asset
INSERT INTO `ProcessedIntegrationEvents` (`Id`, `EventId`, `EventType`, `SourceService`, `Outcome`, `ProcessedOnUtc`) VALUES
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000011', 'invoice.issued', 'billing', 'Processed ', '2026-08-01 12:00:00'),
  ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000012', 'invoice.issued', 'billing', 'Processed', '2026-08-01 12:00:00');
