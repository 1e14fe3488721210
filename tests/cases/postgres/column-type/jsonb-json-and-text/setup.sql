CREATE TABLE "Bodies" ("Id" integer PRIMARY KEY, "Kept" jsonb NOT NULL, "Plain" json NOT NULL, "Words" text NOT NULL);
