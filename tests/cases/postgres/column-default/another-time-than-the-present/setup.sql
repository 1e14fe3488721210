CREATE FUNCTION my_clock() RETURNS timestamptz LANGUAGE sql AS 'SELECT now()';
CREATE TABLE "Clocks" ("Id" uuid PRIMARY KEY, "A" timestamptz NOT NULL DEFAULT now() + interval '1 day', "B" timestamptz NOT NULL DEFAULT (now() AT TIME ZONE 'Europe/Berlin'),
  "C" timestamptz NOT NULL DEFAULT date_trunc('day', now()), "D" timestamptz NOT NULL DEFAULT my_clock(), "E" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP);
