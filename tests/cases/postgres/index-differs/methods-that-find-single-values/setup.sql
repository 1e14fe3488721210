CREATE EXTENSION btree_gist;
CREATE EXTENSION btree_gin;
CREATE TABLE "L" ("Id" bigint NOT NULL, a text NOT NULL, b bigint NOT NULL, c bigint NOT NULL, d bigint NOT NULL);
CREATE INDEX "IA" ON "L" USING spgist (a);
CREATE INDEX "IB" ON "L" USING gist (b);
CREATE INDEX "IC" ON "L" USING gin (c);
CREATE INDEX "ID" ON "L" USING brin (d);
