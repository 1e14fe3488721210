-- Every row of one relation of an extension, as objects by column name: columns differ between its versions.
--
-- {table} is the quoted name. $1 and $2 are not used.
SELECT pg_catalog.json_build_object(
    'rows', (
        SELECT coalesce(pg_catalog.json_agg(pg_catalog.to_jsonb(r)), '[]')
        FROM (SELECT * FROM {table} AS t LIMIT 10000) AS r
    ),
    'now', pg_catalog.to_jsonb(pg_catalog.now()),
    'unused', $1::text || $2::text
)::text
