-- after: asset
CREATE TABLE "Orders" ("Id" uuid PRIMARY KEY, "EventId" uuid UNIQUE);
