CREATE TABLE "Defaults" (
  "Id" integer PRIMARY KEY,
  "Words" varchar(40) NOT NULL DEFAULT ('Processed'::text)::varchar,
  "Number" integer NOT NULL DEFAULT '0',
  "Minus" integer NOT NULL DEFAULT -1,
  "Flag" boolean NOT NULL DEFAULT 'f',
  "Made" timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "Body" jsonb NOT NULL DEFAULT '{}'
);
