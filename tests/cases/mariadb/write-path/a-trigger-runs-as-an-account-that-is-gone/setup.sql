-- after: asset
GRANT SELECT ON mysql.* TO {database};
CREATE DEFINER=`nobody`@`nowhere` TRIGGER `TR_audit` AFTER INSERT ON `ProcessedIntegrationEvents` FOR EACH ROW SET @x = 1;
-- next, which fails
INSERT INTO `ProcessedIntegrationEvents` VALUES (uuid(), uuid(), 'e', NULL, NULL, 's', 'Processed', utc_timestamp(6));
