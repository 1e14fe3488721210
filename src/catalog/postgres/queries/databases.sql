-- The databases of the server that can be connected to. Templates are no databases of services.
--
-- $1, $2: nothing.
SELECT (coalesce(pg_catalog.jsonb_agg(d.datname ORDER BY d.datname), '[]'))::text
FROM pg_catalog.pg_database AS d
WHERE d.datallowconn AND NOT d.datistemplate AND $1 = $2
