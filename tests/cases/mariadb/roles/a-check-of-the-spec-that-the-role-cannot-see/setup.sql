CREATE TABLE ledger (event_id varchar(64) PRIMARY KEY, outcome varchar(40) NOT NULL, CONSTRAINT ck_outcome CHECK (outcome <> ''));
GRANT SELECT ON ledger TO {role};
