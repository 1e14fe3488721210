LOCK TABLES `ProcessedIntegrationEvents` WRITE;
