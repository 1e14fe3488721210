-- after: correlated
CREATE TABLE "Orders" ("Id" INTEGER PRIMARY KEY, "EventId" TEXT UNIQUE);
CREATE INDEX ix_orders ON "Orders" ("Id");
