CREATE TABLE ledger (
  event_id varchar(64) PRIMARY KEY,
  source varchar(40) NOT NULL,
  source_key varchar(40) GENERATED ALWAYS AS (lower((source)::text)) STORED
);
