-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` ADD `valid_from` timestamp(6) GENERATED ALWAYS AS ROW START, ADD `valid_to` timestamp(6) GENERATED ALWAYS AS ROW END,
  ADD PERIOD FOR SYSTEM_TIME (`valid_from`, `valid_to`), ADD SYSTEM VERSIONING;
