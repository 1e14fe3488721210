-- after: asset
GRANT SELECT ON mysql.* TO {database};
CREATE TABLE `Audit` (what text);
CREATE TABLE `Aside` (what text);
CREATE USER {role};
GRANT TRIGGER, SELECT ON `{database}`.`ProcessedIntegrationEvents` TO {role};
GRANT INSERT (what) ON `{database}`.`Aside` TO {role};
CREATE DEFINER={role} TRIGGER `TR_allowed` AFTER INSERT ON `ProcessedIntegrationEvents` FOR EACH ROW INSERT INTO `Aside` (what) VALUES (NEW.`EventType`);
CREATE DEFINER={role} TRIGGER `TR_forbidden` AFTER INSERT ON `ProcessedIntegrationEvents` FOR EACH ROW INSERT INTO `Audit` VALUES (NEW.`EventType`);
-- next, which fails
INSERT INTO `ProcessedIntegrationEvents` VALUES (uuid(), uuid(), 'e', NULL, NULL, 's', 'Processed', utc_timestamp(6));
