-- after: asset
CREATE TABLE `Tenants` (`Id` int PRIMARY KEY);
GRANT SELECT ON `Tenants` TO {role};
