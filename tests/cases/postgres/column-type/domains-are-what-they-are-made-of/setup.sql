-- after: asset
CREATE DOMAIN event_id AS uuid;
CREATE DOMAIN event_type AS varchar(160);
ALTER TABLE "ProcessedIntegrationEvents" ALTER "EventId" TYPE event_id, ALTER "EventType" TYPE event_type;
