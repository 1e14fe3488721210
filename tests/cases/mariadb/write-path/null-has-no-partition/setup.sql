CREATE TABLE `L` (`EventId` char(36) NOT NULL, `TenantId` int, `Kind` varchar(40) NOT NULL, `At` datetime(6) NOT NULL,
  UNIQUE KEY `UX` (`EventId`, `TenantId`, `Kind`))
  PARTITION BY LIST (`TenantId`) (PARTITION p0 VALUES IN (1, 2));
-- next, which fails
INSERT INTO `L` VALUES (uuid(), NULL, 'Stale', now());
