CREATE TABLE ledger (
  event_id varchar(64), outcome varchar(40) CONSTRAINT ck_outcome CHECK (outcome <> ''), PRIMARY KEY (event_id, outcome)
) PARTITION BY LIST (outcome);
CREATE TABLE ledger_processed PARTITION OF ledger FOR VALUES IN ('Processed');
