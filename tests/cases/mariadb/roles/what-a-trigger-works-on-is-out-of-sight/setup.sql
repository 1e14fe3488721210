-- after: asset
CREATE TABLE `Audit` (what text);
CREATE TRIGGER `TR_audit` AFTER INSERT ON `ProcessedIntegrationEvents` FOR EACH ROW INSERT INTO `Audit` VALUES (NEW.`EventType`);
GRANT SELECT, TRIGGER ON `{database}`.`ProcessedIntegrationEvents` TO {role};
