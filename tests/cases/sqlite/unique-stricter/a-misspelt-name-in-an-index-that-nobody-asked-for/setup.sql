-- after: correlated
CREATE UNIQUE INDEX ux_source ON "Ledger" ("Source" || "Tenant");
