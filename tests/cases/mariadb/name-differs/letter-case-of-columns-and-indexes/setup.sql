-- after: asset
ALTER TABLE `ProcessedIntegrationEvents` RENAME COLUMN `EventId` TO `eventid`, RENAME KEY `UX_ProcessedEvents_EventId` TO `ux_processedevents_eventid`;
