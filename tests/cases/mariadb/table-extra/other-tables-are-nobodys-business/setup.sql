-- after: asset
CREATE TABLE `Orders` (id int);
CREATE TABLE `ProcessedIntegrationEventsArchive` (id int);
