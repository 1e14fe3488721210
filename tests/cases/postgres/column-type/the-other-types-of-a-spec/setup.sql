CREATE TABLE "Kinds" (
  "Id" int8 PRIMARY KEY, "Day" date NOT NULL, "Ratio" float8 NOT NULL, "Body" bytea NOT NULL, "Pause" interval NOT NULL,
  "Local" timestamp NOT NULL, "Flag" bool NOT NULL, "Small" int2 NOT NULL, "Words" text NOT NULL
);
