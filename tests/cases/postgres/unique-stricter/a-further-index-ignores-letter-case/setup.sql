CREATE TABLE "L" ("Id" bigint PRIMARY KEY, "EventKey" varchar(200) NOT NULL);
CREATE UNIQUE INDEX "UX" ON "L" ("EventKey");
CREATE INDEX "IX" ON "L" ("Id");
CREATE COLLATION no_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE UNIQUE INDEX ux2 ON "L" ("EventKey" COLLATE no_case);
-- next, which fails
INSERT INTO "L" VALUES (1, 'a'), (2, 'A');
