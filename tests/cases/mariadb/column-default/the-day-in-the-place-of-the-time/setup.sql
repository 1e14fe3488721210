CREATE TABLE `Clocks` (`Id` char(36) CHARACTER SET ascii COLLATE ascii_general_ci PRIMARY KEY, `A` datetime(6) NOT NULL DEFAULT (curdate()),
  `B` date NOT NULL DEFAULT (curdate())) CHARACTER SET utf8mb4;
