-- after: asset
CREATE TABLE "Orders" ("Id" integer PRIMARY KEY);
