-- after: asset
CREATE TABLE `Archive` (`Id` int PRIMARY KEY) PARTITION BY HASH (`Id`) PARTITIONS 2;
