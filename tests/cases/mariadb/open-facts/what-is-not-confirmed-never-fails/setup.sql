CREATE TABLE `Ledger` (`EventId` varchar(10) PRIMARY KEY, `Source` text, `Gone` int NOT NULL);
