-- after: asset
CREATE EXTENSION citext;
CREATE TYPE source AS ENUM ('orders', 'billing');
CREATE DOMAIN outcome AS citext CHECK (VALUE IN ('processed', 'DUPLICATE', 'stale'));
ALTER TABLE "ProcessedIntegrationEvents" ALTER "Outcome" TYPE outcome, ALTER "SourceService" TYPE source USING 'orders',
  ADD CONSTRAINT "CK_exact" CHECK ("Outcome"::text IN ('processed', 'duplicate', 'stale')),
  ADD CONSTRAINT "CK_source" CHECK ("SourceService" <> 'billing');
