CREATE TABLE "L" ("Id" integer PRIMARY KEY, a integer NOT NULL, b integer NOT NULL);
CREATE INDEX "IA" ON "L" (a, b DESC);
CREATE INDEX "IB" ON "L" (a, b);
