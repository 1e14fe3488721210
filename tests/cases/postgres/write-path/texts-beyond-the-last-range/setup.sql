CREATE TABLE ledger (event_id varchar(64), outcome varchar(40) NOT NULL CONSTRAINT ck_outcome CHECK (outcome <> ''), PRIMARY KEY (event_id, outcome)) PARTITION BY RANGE (outcome);
CREATE TABLE first_half PARTITION OF ledger FOR VALUES FROM (MINVALUE) TO ('N');
