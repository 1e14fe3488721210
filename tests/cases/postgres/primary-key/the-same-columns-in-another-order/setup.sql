CREATE TABLE "L" (a integer NOT NULL, b integer NOT NULL, PRIMARY KEY (b, a));
