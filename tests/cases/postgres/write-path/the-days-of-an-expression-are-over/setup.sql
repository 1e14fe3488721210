CREATE TABLE "ChargeLedger" (
  "EventId" varchar(64) NOT NULL, "Amount" numeric(18,2) NOT NULL, "Rate" numeric(18,6) NOT NULL, "BookedAt" timestamptz NOT NULL
) PARTITION BY RANGE (date_trunc('day', "BookedAt" AT TIME ZONE 'UTC'));
CREATE TABLE charges_2020 PARTITION OF "ChargeLedger" FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
