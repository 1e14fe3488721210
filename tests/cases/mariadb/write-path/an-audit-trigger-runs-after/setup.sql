-- after: asset
CREATE TABLE `Audit` (what text);
CREATE TRIGGER `TR_audit` AFTER INSERT ON `ProcessedIntegrationEvents` FOR EACH ROW INSERT INTO `Audit` VALUES (NEW.`EventType`);
CREATE TRIGGER `TR_gone` BEFORE DELETE ON `ProcessedIntegrationEvents` FOR EACH ROW INSERT INTO `Audit` VALUES (OLD.`EventType`);
