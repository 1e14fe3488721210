-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" RENAME TO "Moved";
ALTER TABLE "Moved" RENAME TO "processedintegrationevents";
