CREATE TABLE `Defaults` (
  `Id` int PRIMARY KEY,
  `Words` varchar(40) NOT NULL DEFAULT 'it''s a\\b',
  `Number` int NOT NULL DEFAULT '0',
  `Minus` int NOT NULL DEFAULT (-1),
  `Flag` bool NOT NULL DEFAULT FALSE,
  `Made` datetime(6) NOT NULL DEFAULT LOCALTIMESTAMP(6),
  `None` varchar(5) NULL DEFAULT NULL
);
