CREATE TABLE "Clocks" ("Id" uuid PRIMARY KEY, "A" interval year to month NOT NULL, "B" interval day to second(3) NOT NULL, "C" interval(0) NOT NULL,
  "D" interval day to second NOT NULL, "E" interval(6) NOT NULL);
