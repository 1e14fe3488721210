CREATE TABLE `select ``from``` (
  `order` varchar(64) PRIMARY KEY,
  `it's` varchar(40) NOT NULL DEFAULT 'it''s "so"',
  `ünïcødé 表` int,
  `%s $1 {0}` int,
  UNIQUE KEY `a;b--c/*` (`it's`)
);
