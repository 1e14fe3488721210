CREATE TABLE ledger (event_id TEXT NOT NULL PRIMARY KEY, source TEXT NOT NULL, source_key TEXT AS (upper(source)));
