CREATE TABLE `Tenants` (`Id` int PRIMARY KEY);
CREATE DATABASE {other};
CREATE TABLE {other}.`ProcessedIntegrationEvents` (`Id` char(36) PRIMARY KEY);
