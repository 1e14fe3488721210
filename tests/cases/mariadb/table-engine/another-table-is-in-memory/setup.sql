-- after: asset
CREATE TABLE `Cache` (`Id` int) ENGINE=MEMORY;
