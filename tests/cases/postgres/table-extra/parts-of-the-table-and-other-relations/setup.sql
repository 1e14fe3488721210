CREATE TABLE "Entries" ("Id" bigint NOT NULL, "EventId" varchar(64) NOT NULL, PRIMARY KEY ("Id")) PARTITION BY RANGE ("Id");
CREATE TABLE "entries_" PARTITION OF "Entries" DEFAULT;
CREATE TABLE "Entry" ("Id" bigint PRIMARY KEY, "EventId" varchar(64) NOT NULL);
CREATE TABLE entry ("Id" bigint);
CREATE TABLE "Entrance" ("Id" bigint);
CREATE SEQUENCE entries;
