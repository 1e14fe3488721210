-- after: correlated
ALTER TABLE "Ledger" ADD COLUMN "Region" TEXT CHECK ("Region" IN ('eu', 'us'));
ALTER TABLE "Ledger" ADD COLUMN "Grade" TEXT NOT NULL DEFAULT 'x' CHECK ("Grade" = 'a');
