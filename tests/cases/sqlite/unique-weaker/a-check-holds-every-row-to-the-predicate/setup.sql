CREATE TABLE ledger (
  id bigint NOT NULL PRIMARY KEY, event_id varchar(64) NOT NULL, outcome varchar(40) NOT NULL CONSTRAINT ck_outcome CHECK (outcome <> ''),
  tenant integer CONSTRAINT ck_tenant CHECK (tenant > 0)
);
CREATE UNIQUE INDEX ux_event ON ledger (event_id) WHERE outcome <> '';
