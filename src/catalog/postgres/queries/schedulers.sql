-- Which schedulers there are, and what of them this role may read.
--
-- $2: the namespace of the ledgers. The settings of a library are hidden from plain roles: `sees_settings` says whether
-- one that is not listed is not there. Objects are found by name and asked for by OID, since a plain role may not even
-- use their namespace.
SELECT pg_catalog.json_build_object(
    'extensions', (
        SELECT pg_catalog.json_object_agg(e.extname, n.nspname)
        FROM pg_catalog.pg_extension AS e
        JOIN pg_catalog.pg_namespace AS n ON n.oid = e.extnamespace
        WHERE e.extname IN ('pg_cron', 'pg_partman', 'timescaledb')
    ),
    'settings', (
        SELECT pg_catalog.json_object_agg(s.name, s.setting)
        FROM pg_catalog.pg_settings AS s
        WHERE s.name IN ('shared_preload_libraries', 'port')
            OR s.name LIKE 'cron.%' OR s.name LIKE 'pg\_partman\_bgw.%'
    ),
    'zone', (SELECT s.reset_val FROM pg_catalog.pg_settings AS s WHERE s.name = 'TimeZone'),
    'sees_settings', pg_catalog.pg_has_role('pg_read_all_settings', 'USAGE'),
    'started', pg_catalog.pg_postmaster_start_time()::text,
    'database', pg_catalog.current_database(),
    'tables', (
        SELECT pg_catalog.json_object_agg(pg_catalog.format('%s.%s', n.nspname, c.relname),
            CASE
                WHEN NOT pg_catalog.has_schema_privilege(n.oid, 'USAGE') THEN 'hidden'
                WHEN NOT pg_catalog.has_table_privilege(c.oid, 'SELECT') THEN 'hidden'
                WHEN pg_catalog.row_security_active(c.oid) THEN 'own'
                ELSE 'all'
            END)
        FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE (n.nspname = 'cron' AND c.relname IN ('job', 'job_run_details'))
            OR (n.nspname = 'timescaledb_information' AND c.relname IN ('jobs', 'job_stats'))
            OR (n.nspname = $2 AND c.relname = 'ledger_retention')
            OR (c.relname = 'part_config' AND n.oid = (
                SELECT e.extnamespace FROM pg_catalog.pg_extension AS e WHERE e.extname = 'pg_partman'
            ))
    ),
    'asked', $1::text
)::text
