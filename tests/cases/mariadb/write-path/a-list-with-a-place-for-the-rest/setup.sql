CREATE TABLE ledger (
  event_id varchar(64) NOT NULL, outcome varchar(40) NOT NULL, CONSTRAINT ck_outcome CHECK (outcome <> ''), PRIMARY KEY (event_id, outcome)
) PARTITION BY LIST COLUMNS (outcome) (PARTITION p0 VALUES IN ('Processed', 'Stale'), PARTITION p1 DEFAULT);
