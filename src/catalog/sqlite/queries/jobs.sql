-- What runners outside the file say of themselves, as one JSON object for each ledger.
SELECT CAST(json_object(
    'ledger', CAST(ledger AS TEXT),
    'horizon_seconds', CAST(horizon_seconds AS REAL),
    'started_ago', (julianday('now') - julianday(last_started_utc)) * 86400.0,
    'finished_ago', (julianday('now') - julianday(last_finished_utc)) * 86400.0,
    'last_deleted', CAST(last_deleted AS REAL),
    'last_error', CAST(last_error AS TEXT),
    'runner', CAST(runner AS TEXT)) AS BLOB)
FROM ledger_retention
ORDER BY ledger
LIMIT 1000
