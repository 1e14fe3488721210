-- after: correlated
CREATE UNIQUE INDEX "UX_Wide" ON "Ledger" ("CorrelationId", "EventId");
