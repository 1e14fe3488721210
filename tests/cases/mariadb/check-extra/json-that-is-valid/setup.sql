CREATE TABLE `Bodies` (`Id` int PRIMARY KEY, `Doc` json NOT NULL);
