-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "EventType" TYPE varchar(160) COLLATE "POSIX";
