CREATE TABLE "L" ("Id" uuid PRIMARY KEY DEFAULT gen_random_uuid(), a uuid DEFAULT gen_random_uuid());
