-- The jobs of pg_cron with what is recorded of their newest runs. The history is never cleaned by itself, so only its end
-- is read, by its key; within that, the newest run is the one that began last.
--
-- $1 and $2 are not used. {runs} is cron.job_run_details, or an empty stand-in where that may not be read.
WITH recent AS MATERIALIZED (
    SELECT d.* FROM {runs} AS d ORDER BY d.runid DESC LIMIT 50000
)
SELECT pg_catalog.json_build_object(
    'jobs', (SELECT coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
        'id', j.jobid,
        'name', pg_catalog.to_jsonb(j) ->> 'jobname',
        'schedule', j.schedule,
        'command', pg_catalog.left(j.command, 100000),
        'node', j.nodename,
        'port', j.nodeport,
        'database', j.database,
        'role', j.username,
        'active', j.active,
        'runs', (
            SELECT pg_catalog.json_build_object(
                'recorded', count(*),
                'started_ago', extract(epoch FROM pg_catalog.clock_timestamp() - max(r.start_time)),
                'succeeded_ago', extract(epoch FROM pg_catalog.clock_timestamp()
                    - max(r.end_time) FILTER (WHERE r.status = 'succeeded')),
                'failed_in_a_row', count(*) FILTER (WHERE r.status = 'failed' AND r.failures = r.ended),
                'empty_in_a_row', count(*) FILTER (WHERE r.empty AND r.empties = r.place),
                'message', (pg_catalog.array_agg(pg_catalog.left(r.return_message, 1000) ORDER BY r.place))[1]
            )
            FROM (
                SELECT d.*,
                    d.status = 'succeeded' AND d.return_message = 'DELETE 0' AS empty,
                    -- Runs that have not ended say nothing about failure.
                    count(*) FILTER (WHERE d.status IN ('failed', 'succeeded')) OVER newest AS ended,
                    count(*) FILTER (WHERE d.status = 'failed') OVER newest AS failures,
                    count(*) FILTER (WHERE d.status = 'succeeded' AND d.return_message = 'DELETE 0') OVER newest
                        AS empties,
                    pg_catalog.row_number() OVER newest AS place
                FROM recent AS d
                WHERE d.jobid = j.jobid
                WINDOW newest AS (ORDER BY coalesce(d.start_time, 'infinity') DESC, d.runid DESC)
            ) AS r
        )
    ) ORDER BY j.jobid), '[]')
        FROM cron.job AS j),
    'unused', $1::text || $2::text
)::text
