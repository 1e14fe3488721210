CREATE TABLE "ChargeLedger" (
  "EventId" varchar(64) PRIMARY KEY,
  "Amount" numeric(18,4) NOT NULL,
  "Rate" numeric(18) NOT NULL,
  "BookedAt" timestamptz(0) NOT NULL
);
