CREATE TABLE "ChargeLedger" (
  "EventId" varchar(64) PRIMARY KEY,
  "Amount" decimal(18,2) NOT NULL,
  "Rate" dec(18,6) NOT NULL,
  "BookedAt" timestamp(6) with time zone NOT NULL
);
