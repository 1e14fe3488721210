CREATE TABLE "Clocks" ("Id" uuid PRIMARY KEY, "A" timestamptz NOT NULL DEFAULT ('now'::text)::timestamptz,
  "B" timestamp NOT NULL DEFAULT ('now'::text)::timestamp, "C" date NOT NULL DEFAULT ('now'::text)::date, "D" timestamptz NOT NULL DEFAULT 'now'::timestamptz,
  "E" timestamptz(3) NOT NULL DEFAULT ('now'::text)::timestamp(3) with time zone, "F" text NOT NULL DEFAULT 'now'::text);
