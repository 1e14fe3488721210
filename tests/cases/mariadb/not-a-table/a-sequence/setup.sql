CREATE TABLE `Tenants` (`Id` int PRIMARY KEY);
CREATE SEQUENCE `ProcessedIntegrationEvents`;
