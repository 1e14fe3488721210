CREATE TABLE `Kinds` (
  `Id` bigint(20) PRIMARY KEY, `Day` date NOT NULL, `Ratio` double NOT NULL, `Body` longblob NOT NULL, `Doc` json NOT NULL,
  `Local` datetime(6) NOT NULL, `Small` smallint(6) NOT NULL, `Words` longtext NOT NULL, `Amount` decimal(18,2) NOT NULL
);
