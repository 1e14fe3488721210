-- Says which sessions hold, or wait for, an exclusive lock on a wanted table, its indexes, partitions or children.
-- Never a query text: it may hold data.
SELECT coalesce(pg_catalog.json_agg(held ORDER BY held.granted DESC, held.since, held.pid), '[]')::text
FROM (
    SELECT
        c.relname AS relation,
        l.pid,
        l.granted,
        l.mode,
        pg_catalog.date_trunc('second', a.xact_start)::text AS since
    FROM pg_catalog.pg_locks AS l
    JOIN pg_catalog.pg_class AS c ON c.oid = l.relation
    LEFT JOIN pg_catalog.pg_stat_activity AS a ON a.pid = l.pid
    WHERE l.locktype = 'relation'
        AND l.database = (SELECT d.oid FROM pg_catalog.pg_database AS d WHERE d.datname = pg_catalog.current_database())
        AND l.mode = 'AccessExclusiveLock'
        AND l.pid <> pg_catalog.pg_backend_pid()
        AND c.relnamespace = (SELECT n.oid FROM pg_catalog.pg_namespace AS n WHERE n.nspname = $2)
        AND (
            c.relname = ANY ($1)
            OR EXISTS (
                SELECT
                FROM pg_catalog.pg_class AS wanted
                WHERE wanted.relname = ANY ($1)
                    AND wanted.relnamespace = c.relnamespace
                    AND (
                        EXISTS (
                            SELECT FROM pg_catalog.pg_index AS i
                            WHERE i.indexrelid = c.oid AND i.indrelid = wanted.oid
                        )
                        OR EXISTS (
                            SELECT FROM pg_catalog.pg_inherits AS h
                            WHERE h.inhrelid = c.oid AND h.inhparent = wanted.oid
                        )
                    )
            )
        )
    LIMIT 5
) AS held
