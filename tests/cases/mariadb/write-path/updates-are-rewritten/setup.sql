-- after: asset
CREATE TRIGGER `TR_stamp` BEFORE UPDATE ON `ProcessedIntegrationEvents` FOR EACH ROW SET NEW.`ProcessedOnUtc` = now(6);
