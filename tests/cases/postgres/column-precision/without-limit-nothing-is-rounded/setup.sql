CREATE TABLE "ChargeLedger" (
  "EventId" varchar(64) PRIMARY KEY,
  "Amount" numeric NOT NULL,
  "Rate" numeric(18,6) NOT NULL,
  "BookedAt" timestamptz(3) NOT NULL
);
