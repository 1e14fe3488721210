CREATE TABLE "ChargeLedger" (
  "EventId" varchar(64) PRIMARY KEY,
  "Amount" numeric(20,2) NOT NULL,
  "Rate" numeric(16,6) NOT NULL,
  "BookedAt" timestamptz NOT NULL
);
