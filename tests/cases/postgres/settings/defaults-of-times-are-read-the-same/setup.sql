-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "ProcessedOnUtc" SET DEFAULT '0001-01-01 00:00:00+00';
ALTER DATABASE {database} SET DateStyle = 'SQL, DMY';
ALTER DATABASE {database} SET TimeZone = 'America/St_Johns';
