-- after: correlated
CREATE INDEX ix_incident ON "Ledger" ("EventId", "Id");
