-- after: asset
CREATE TABLE processedintegrationevents (LIKE "ProcessedIntegrationEvents");
