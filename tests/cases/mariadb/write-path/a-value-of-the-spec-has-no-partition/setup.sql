CREATE TABLE `L` (`EventId` char(36) NOT NULL, `TenantId` int, `Kind` varchar(40) NOT NULL, `At` datetime(6) NOT NULL,
  UNIQUE KEY `UX` (`EventId`, `TenantId`, `Kind`))
  PARTITION BY LIST COLUMNS (`Kind`) (PARTITION p0 VALUES IN ('processed'), PARTITION p1 VALUES IN ('Failed'));
-- next, which fails
INSERT INTO `L` VALUES (uuid(), 1, 'Stale', now());
