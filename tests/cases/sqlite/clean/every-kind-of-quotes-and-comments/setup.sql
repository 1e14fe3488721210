CREATE TABLE [ProcessedIntegrationEvents] ( -- the ledger
  [Id] TEXT NOT NULL PRIMARY KEY, /* "Id" INTEGER, */
  `EventId` TEXT NOT NULL COLLATE NOCASE,
  'EventType' TEXT NOT NULL,
  "TenantId" INTEGER,
  CorrelationId TEXT,
  [SourceService] TEXT NOT NULL,
  [Outcome] TEXT NOT NULL DEFAULT "Processed",
  [ProcessedOnUtc] TEXT NOT NULL
);
CREATE UNIQUE INDEX [UX_ProcessedEvents_EventId] ON `ProcessedIntegrationEvents` ('EventId');
