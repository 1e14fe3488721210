-- What runners outside the database say of themselves. {table} is the quoted name; columns are read by name.
--
-- $1 and $2 are not used.
SELECT pg_catalog.json_build_object(
    'rows', (SELECT coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
        'ledger', t.row ->> 'ledger',
        'horizon_seconds', (t.row ->> 'horizon_seconds')::double precision,
        'started_ago', extract(epoch FROM pg_catalog.clock_timestamp() - (t.row ->> 'last_started_utc')::timestamptz),
        'finished_ago', extract(epoch FROM pg_catalog.clock_timestamp() - (t.row ->> 'last_finished_utc')::timestamptz),
        'last_deleted', (t.row ->> 'last_deleted')::double precision,
        'last_error', pg_catalog.left(t.row ->> 'last_error', 1000),
        'runner', t.row ->> 'runner'
    )), '[]')
        FROM (SELECT pg_catalog.to_jsonb(r) AS row FROM {table} AS r LIMIT 1000) AS t),
    'unused', $1::text || $2::text
)::text
