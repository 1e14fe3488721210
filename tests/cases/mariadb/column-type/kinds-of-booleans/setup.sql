CREATE TABLE `Flags` (`Id` int PRIMARY KEY, `A` bool NOT NULL, `B` bit(1) NOT NULL, `C` tinyint NOT NULL, `D` tinyint(1) unsigned NOT NULL, `E` char(1) NOT NULL);
