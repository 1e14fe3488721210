-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD "Seq" bigint GENERATED ALWAYS AS IDENTITY UNIQUE, ADD "Token" uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE;
