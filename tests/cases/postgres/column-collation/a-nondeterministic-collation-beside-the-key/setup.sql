-- after: asset
CREATE COLLATION no_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
ALTER TABLE "ProcessedIntegrationEvents" ALTER "EventType" TYPE varchar(160) COLLATE no_case;
