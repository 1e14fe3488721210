CREATE TABLE "L" ("Id" integer PRIMARY KEY,
  a varchar(40) NOT NULL DEFAULT ('Pro' || 'cessed'),
  b varchar(40) NOT NULL DEFAULT ('Pro' || 'cessed '),
  c varchar(40) NOT NULL DEFAULT 'Processed'::varchar(5),
  d varchar(40) NOT NULL DEFAULT upper('Processed'),
  e varchar(40) NOT NULL DEFAULT coalesce(NULL, 'Processed'));
