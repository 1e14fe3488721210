CREATE TABLE "InboxA" ("Id" integer PRIMARY KEY);
