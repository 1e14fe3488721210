-- The state of the event scheduler, and whether runners outside keep a table of their own.
SELECT 'scheduler' AS kind, CAST(JSON_OBJECT('state', CAST(@@global.event_scheduler AS CHAR)) AS CHAR) AS fact
UNION ALL
SELECT 'heartbeat_columns', CAST(JSON_OBJECT('columns', COUNT(*)) AS CHAR)
FROM information_schema.columns
WHERE table_schema = ? AND table_name = 'ledger_retention'
