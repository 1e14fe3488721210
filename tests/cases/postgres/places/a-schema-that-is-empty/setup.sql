-- after: asset
CREATE SCHEMA ledger;
