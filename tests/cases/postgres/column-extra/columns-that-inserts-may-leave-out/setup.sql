-- after: asset
ALTER TABLE "ProcessedIntegrationEvents"
  ADD "Note" text,
  ADD "Region" text NOT NULL DEFAULT 'eu',
  ADD "Day" text GENERATED ALWAYS AS (left("Outcome", 1)) STORED,
  ADD "Seq" bigint GENERATED ALWAYS AS IDENTITY,
  ADD "Counter" bigserial;
