-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ALTER `EventId` SET DEFAULT (left(concat('e-', md5(rand())), 36)), ALTER `SourceService` SET DEFAULT (md5(rand()));
