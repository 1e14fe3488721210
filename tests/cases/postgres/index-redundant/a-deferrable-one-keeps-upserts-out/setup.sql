-- after: asset
ALTER TABLE "ProcessedIntegrationEvents" ADD CONSTRAINT "UQ_Late" UNIQUE ("EventId") DEFERRABLE;
