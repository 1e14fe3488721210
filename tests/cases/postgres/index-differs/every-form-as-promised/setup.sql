CREATE TABLE ledger (event_id varchar(64) PRIMARY KEY, tenant integer, outcome varchar(40) NOT NULL);
CREATE INDEX ix_lower ON ledger (lower(outcome::text));
CREATE INDEX ix_desc ON ledger (tenant, outcome DESC);
CREATE UNIQUE INDEX ux_tenant ON ledger (tenant) NULLS NOT DISTINCT;
CREATE INDEX ix_some ON ledger (tenant) INCLUDE (outcome) WHERE (outcome)::text <> 'Stale'::text;
