CREATE FUNCTION cmp8(a text, b text) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT bttextcmp(left(a, 8), left(b, 8))';
CREATE OPERATOR CLASS u8 FOR TYPE text USING btree AS
  OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 cmp8(text, text);
CREATE TABLE "L" ("Id" bigint PRIMARY KEY, "EventKey" varchar(200) NOT NULL);
CREATE UNIQUE INDEX "UX" ON "L" ("EventKey" u8);
CREATE INDEX "IX" ON "L" ("Id");
-- next, which fails
INSERT INTO "L" VALUES (1, 'aaaaaaaa1'), (2, 'aaaaaaaa2');
