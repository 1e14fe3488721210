-- after: asset
CREATE TABLE "Orders" (id integer);
CREATE TABLE "ProcessedIntegrationEventsArchive" (id integer);
