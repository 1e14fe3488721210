CREATE TABLE `Clocks` (`Id` char(36) NOT NULL PRIMARY KEY, `A` datetime(6) NOT NULL DEFAULT (current_timestamp(6) + INTERVAL 1 DAY), `B` datetime(6) NOT NULL DEFAULT (utc_date()),
  `C` datetime(6) NOT NULL DEFAULT (date_add(now(6), INTERVAL 1 HOUR)), `D` datetime(6) NOT NULL DEFAULT (utc_timestamp(6)), `E` datetime(6) NOT NULL DEFAULT (localtime(6)));
