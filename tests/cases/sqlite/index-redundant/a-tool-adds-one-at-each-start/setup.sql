-- after: correlated
CREATE UNIQUE INDEX ux_1 ON "Ledger" ("EventId");
CREATE INDEX ix_2 ON "Ledger" ("EventId");
