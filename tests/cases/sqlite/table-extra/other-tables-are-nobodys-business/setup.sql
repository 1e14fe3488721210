-- after: asset
CREATE TABLE "Orders" (id);
CREATE TABLE "ProcessedIntegrationEventsArchive" (id);
