CREATE TABLE "Kinds" (
  "Id" int4 PRIMARY KEY, "Day" timestamp NOT NULL, "Ratio" float4 NOT NULL, "Body" text NOT NULL, "Pause" integer NOT NULL,
  "Local" timestamptz NOT NULL, "Flag" smallint NOT NULL, "Small" integer NOT NULL, "Words" varchar(100) NOT NULL
);
