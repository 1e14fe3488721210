CREATE TABLE "Clocks" ("Id" uuid PRIMARY KEY, "A" timestamptz NOT NULL DEFAULT CURRENT_DATE, "B" timestamptz NOT NULL DEFAULT now(),
  "C" timestamptz NOT NULL DEFAULT (now())::date, "D" date NOT NULL DEFAULT now(), "E" timestamptz NOT NULL DEFAULT CURRENT_DATE);
