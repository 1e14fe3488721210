CREATE TYPE outcome AS ENUM ('Processed', 'Stale');
CREATE TABLE ledger (
  event_id varchar(64), outcome outcome CONSTRAINT ck_outcome CHECK (outcome::text <> ''), PRIMARY KEY (event_id, outcome)
) PARTITION BY LIST (outcome);
CREATE TABLE processed PARTITION OF ledger FOR VALUES IN ('Processed');
CREATE TABLE stale PARTITION OF ledger FOR VALUES IN ('Stale');
