-- after: asset
CREATE TRIGGER TR_purge BEFORE INSERT ON ProcessedIntegrationEvents FOR EACH ROW
  DELETE FROM ProcessedIntegrationEvents WHERE ProcessedOnUtc < utc_timestamp(6) - INTERVAL 30 DAY;
