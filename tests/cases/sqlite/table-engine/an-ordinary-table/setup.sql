-- after: correlated
CREATE TABLE "Other" ("Id" INTEGER PRIMARY KEY) STRICT;
