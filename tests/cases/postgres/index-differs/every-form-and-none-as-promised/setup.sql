CREATE TABLE ledger (event_id varchar(64) PRIMARY KEY, tenant integer, outcome varchar(40) NOT NULL);
CREATE INDEX ix_lower ON ledger (upper(outcome::text));
CREATE INDEX ix_desc ON ledger (tenant, outcome);
CREATE UNIQUE INDEX ux_tenant ON ledger (tenant);
CREATE INDEX ix_some ON ledger (tenant) INCLUDE (event_id) WHERE outcome <> 'Processed';
