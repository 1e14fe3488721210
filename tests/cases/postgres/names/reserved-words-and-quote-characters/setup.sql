CREATE TABLE "select ""from""" (
  "order" varchar(64) PRIMARY KEY,
  "it's" varchar(40) NOT NULL DEFAULT 'it''s \n "so"',
  "ünïcødé 表" integer,
  "%s $1 {0}" integer
);
CREATE UNIQUE INDEX "a;b--c/*" ON "select ""from""" ("it's");
