CREATE TABLE "Ledger" ("Id" INTEGER PRIMARY KEY, "EventId" TEXT CHECK (typeof("EventId") = 'text' AND length("EventId") > 3), "CorrelationId" TEXT,
  CONSTRAINT ck CHECK ("CorrelationId" IS NOT NULL));
CREATE UNIQUE INDEX "UX_Ledger_EventId" ON "Ledger" ("EventId");
CREATE INDEX "IX_Ledger_Correlation" ON "Ledger" ("CorrelationId");
