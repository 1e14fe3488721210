CREATE TABLE `Ledger` (`EventId` bigint AUTO_INCREMENT PRIMARY KEY, `Outcome` varchar(40) NOT NULL);
