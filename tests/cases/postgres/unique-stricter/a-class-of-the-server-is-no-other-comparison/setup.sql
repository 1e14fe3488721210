CREATE TABLE "L" ("Id" bigint PRIMARY KEY, "EventKey" varchar(200) NOT NULL);
CREATE UNIQUE INDEX "UX" ON "L" ("EventKey");
CREATE INDEX "IX" ON "L" ("Id");
CREATE UNIQUE INDEX ux2 ON "L" ("EventKey" varchar_pattern_ops);
CREATE EXTENSION citext;
CREATE UNIQUE INDEX ux3 ON "L" (("EventKey"::citext) citext_pattern_ops, "Id");
