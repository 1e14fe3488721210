-- after: asset
CREATE TRIGGER `TR_new_id` BEFORE INSERT ON `ProcessedIntegrationEvents` FOR EACH ROW SET NEW.`EventId` = uuid();
