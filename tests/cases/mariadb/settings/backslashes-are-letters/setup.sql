CREATE TABLE `NoteLedger` (`Id` int PRIMARY KEY, `Path` varchar(40) NOT NULL DEFAULT 'a\\b''c');
