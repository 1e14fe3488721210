-- after: asset
CREATE TABLE `Orders` (`Id` int PRIMARY KEY, `EventId` char(36) UNIQUE);
