-- after: asset
DROP INDEX "UX_ProcessedEvents_EventId";
