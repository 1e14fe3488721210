CREATE TABLE "ChargeLedger" (
  "EventId" TEXT NOT NULL, "Amount" NUMERIC NOT NULL, "Rate" NUMERIC NOT NULL, "BookedAt" TEXT NOT NULL, PRIMARY KEY ("EventId", "BookedAt")
);
