-- after: asset
GRANT SELECT ON mysql.* TO {database};
CREATE TRIGGER `TR_audit` AFTER INSERT ON `ProcessedIntegrationEvents` FOR EACH ROW INSERT INTO `Audit` VALUES (NEW.`EventType`);
-- next, which fails
INSERT INTO `ProcessedIntegrationEvents` VALUES (uuid(), uuid(), 'e', NULL, NULL, 's', 'Processed', utc_timestamp(6));
