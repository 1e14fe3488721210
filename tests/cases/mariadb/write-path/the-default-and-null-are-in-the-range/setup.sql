CREATE TABLE `L` (`EventId` char(36) NOT NULL, `TenantId` int DEFAULT 5, `Kind` varchar(40) NOT NULL, `At` datetime(6) NOT NULL,
  UNIQUE KEY `UX` (`EventId`, `TenantId`, `Kind`))
  PARTITION BY RANGE (`TenantId`) (PARTITION p0 VALUES LESS THAN (3), PARTITION p1 VALUES LESS THAN (6));
-- next
INSERT INTO `L` VALUES (uuid(), DEFAULT, 'Stale', now()), (uuid(), NULL, 'Stale', now());
