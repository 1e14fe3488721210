CREATE TABLE ledger (event_id TEXT NOT NULL PRIMARY KEY, outcome TEXT NOT NULL CONSTRAINT ck_outcome CHECK (outcome <> ' '));
