CREATE TABLE "Tenants" ("Id" TEXT PRIMARY KEY);
CREATE TABLE "Ledger" ("Id" INTEGER PRIMARY KEY, "EventId" TEXT NOT NULL, "CorrelationId" TEXT,
  CONSTRAINT "FK_Tenant" FOREIGN KEY ("CorrelationId") REFERENCES "Tenants" ON DELETE CASCADE);
CREATE UNIQUE INDEX "UX_Ledger_EventId" ON "Ledger" ("EventId");
CREATE INDEX "IX_Ledger_Correlation" ON "Ledger" ("CorrelationId");
