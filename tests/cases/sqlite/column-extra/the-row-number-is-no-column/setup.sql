-- after: correlated
INSERT INTO "Ledger" (rowid, "EventId") VALUES (7, 'a');
