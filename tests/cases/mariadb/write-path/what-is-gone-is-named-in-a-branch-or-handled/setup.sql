-- after: asset
GRANT SELECT ON mysql.* TO {database};
CREATE TRIGGER `TR_branch` AFTER INSERT ON `ProcessedIntegrationEvents` FOR EACH ROW BEGIN
  IF NEW.`EventType` = 'X' THEN INSERT INTO `Audit` VALUES (1); END IF;
END;
CREATE TRIGGER `TR_handled` AFTER INSERT ON `ProcessedIntegrationEvents` FOR EACH ROW BEGIN
  DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET @failed = 1;
  INSERT INTO `Audit` VALUES (1);
END;
-- next
INSERT INTO `ProcessedIntegrationEvents` VALUES (uuid(), uuid(), 'e', NULL, NULL, 's', 'Processed', utc_timestamp(6));
