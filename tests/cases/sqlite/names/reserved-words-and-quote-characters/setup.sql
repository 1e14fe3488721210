CREATE TABLE "select ""from"" [x] `y`" (
  "order" TEXT NOT NULL PRIMARY KEY,
  "it's" TEXT NOT NULL DEFAULT 'it''s "so"',
  "ünïcødé 表" INTEGER,
  "%s $1 {0}" INTEGER
);
CREATE UNIQUE INDEX "a;b--c/*" ON "select ""from"" [x] `y`" ("it's");
