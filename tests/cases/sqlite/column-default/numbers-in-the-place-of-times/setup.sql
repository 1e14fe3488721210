CREATE TABLE "Clocks" ("Id" text NOT NULL PRIMARY KEY, "A" text NOT NULL DEFAULT (unixepoch()), "B" text NOT NULL DEFAULT (strftime('%s','now')),
  "C" text NOT NULL DEFAULT (julianday('now')), "D" text NOT NULL DEFAULT CURRENT_DATE, "E" text NOT NULL DEFAULT (datetime('now')), "F" text NOT NULL DEFAULT (unixepoch()));
