CREATE TABLE `Clocks` (`Id` char(36) CHARACTER SET ascii COLLATE ascii_general_ci PRIMARY KEY, `A` varchar(20) NOT NULL DEFAULT 'Größe 😀',
  `B` varchar(20) NOT NULL DEFAULT 'Größe ?') CHARACTER SET utf8mb4;
