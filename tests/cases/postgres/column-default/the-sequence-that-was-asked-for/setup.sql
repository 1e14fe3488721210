CREATE SEQUENCE s1;
CREATE SEQUENCE s2;
CREATE TABLE "Clocks" ("Id" uuid PRIMARY KEY, "A" bigint NOT NULL DEFAULT nextval('s1'), "B" bigserial NOT NULL, "C" bigint NOT NULL DEFAULT nextval('s2'));
