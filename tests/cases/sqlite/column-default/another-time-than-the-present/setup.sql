CREATE TABLE "Clocks" ("Id" text NOT NULL PRIMARY KEY, "A" text NOT NULL DEFAULT (datetime('now','localtime')), "B" text NOT NULL DEFAULT (datetime('now','+1 day')),
  "C" text NOT NULL DEFAULT (time('now')), "D" text NOT NULL DEFAULT CURRENT_TIME, "E" text NOT NULL DEFAULT (strftime('%Y-%m','now')),
  "F" text NOT NULL DEFAULT (date('now','start of month')), "G" text NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')));
