-- after: correlated
CREATE INDEX ix_pattern ON "Ledger" ("CorrelationId" varchar_pattern_ops);
CREATE INDEX ix_sorted ON "Ledger" ("EventId" COLLATE "POSIX");
CREATE INDEX ix_covering ON "Ledger" ("EventId") INCLUDE ("CorrelationId");
CREATE INDEX ix_new ON "Ledger" ("CorrelationId") WHERE "Id" > 1000;
CREATE INDEX ix_blocks ON "Ledger" USING brin ("Id");
CREATE INDEX ix_missing_first ON "Ledger" ("CorrelationId" NULLS FIRST);
