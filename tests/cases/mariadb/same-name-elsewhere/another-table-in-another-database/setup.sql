-- after: asset
CREATE DATABASE {other};
CREATE TABLE {other}.`OldEvents` LIKE `ProcessedIntegrationEvents`;
