-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" RENAME "EventId" TO "MessageId";
