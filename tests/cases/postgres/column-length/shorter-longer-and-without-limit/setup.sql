-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ALTER "EventType" TYPE varchar(120), ALTER "Outcome" TYPE varchar(64),
  ALTER "SourceService" TYPE varchar;
