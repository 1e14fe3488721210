-- after: asset
CREATE TABLE "Effects" ("Id" uuid PRIMARY KEY, "LedgerId" uuid NOT NULL REFERENCES "ProcessedIntegrationEvents");
