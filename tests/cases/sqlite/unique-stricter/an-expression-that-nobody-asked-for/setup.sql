-- after: correlated
CREATE UNIQUE INDEX ux_lower ON "Ledger" (lower("CorrelationId"));
CREATE UNIQUE INDEX ux_hex ON "Ledger" (hex("EventId"));
