-- after: asset
CREATE TRIGGER `TR_upper` BEFORE INSERT ON `ProcessedIntegrationEvents` FOR EACH ROW SET NEW.`EventId` = UPPER(NEW.`EventId`);
