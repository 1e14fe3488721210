CREATE TABLE "Łódź" ("Id" uuid PRIMARY KEY, "Łódź" text NOT NULL);
