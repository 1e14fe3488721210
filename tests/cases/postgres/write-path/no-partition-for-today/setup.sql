CREATE TABLE "ChargeLedger" (
  "EventId" varchar(64), "Amount" numeric(18,2) NOT NULL, "Rate" numeric(18,6) NOT NULL, "BookedAt" timestamptz,
  PRIMARY KEY ("EventId", "BookedAt")
) PARTITION BY RANGE ("BookedAt");
CREATE TABLE "ChargeLedger_2020" PARTITION OF "ChargeLedger" FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
