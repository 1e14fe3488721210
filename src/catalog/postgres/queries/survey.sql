-- What a database is like: its tables in a namespace ($1), and what lies between it and this session. $2 is empty.
SELECT pg_catalog.json_build_object(
    'tables', (
        SELECT coalesce(pg_catalog.json_agg(c.relname), '[]')
        FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    ),
    'tls', (
        SELECT s.version FROM pg_catalog.pg_stat_ssl AS s WHERE s.pid = pg_catalog.pg_backend_pid() AND s.ssl
    ),
    'port', pg_catalog.inet_server_port(),
    'lag', CASE
        WHEN NOT pg_catalog.pg_is_in_recovery() THEN NULL
        WHEN pg_catalog.pg_last_wal_receive_lsn() = pg_catalog.pg_last_wal_replay_lsn() THEN 0
        ELSE extract(
            EPOCH FROM pg_catalog.clock_timestamp() - pg_catalog.pg_last_xact_replay_timestamp()
        )
    END,
    'cron', EXISTS (SELECT FROM pg_catalog.pg_extension AS e WHERE e.extname = 'pg_cron')
)::pg_catalog.text
WHERE $2 = ''
