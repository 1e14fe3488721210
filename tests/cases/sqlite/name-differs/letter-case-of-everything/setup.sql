CREATE TABLE LEDGER ("ID" INTEGER PRIMARY KEY, eventid TEXT NOT NULL, "CorrelationId" TEXT);
CREATE UNIQUE INDEX ux_ledger_eventid ON "Ledger" ("EVENTID");
CREATE INDEX "IX_Ledger_Correlation" ON "Ledger" ("CorrelationId");
