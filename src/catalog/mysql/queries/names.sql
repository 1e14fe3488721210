-- Which names the role can see. Names only: the server lists files for these and opens none, so that a lock on
-- somebody else's table is not waited for. MariaDB does open a table that is named outright: hence CONCAT.
SELECT 'namespace' AS kind, CAST(JSON_OBJECT('name', schema_name) AS CHAR) AS fact
FROM information_schema.schemata
UNION ALL
SELECT 'own', CAST(JSON_OBJECT('name', table_name) AS CHAR)
FROM information_schema.tables
WHERE table_schema = ?
UNION ALL
SELECT 'elsewhere', CAST(JSON_OBJECT('namespace', table_schema, 'name', table_name) AS CHAR)
FROM information_schema.tables
WHERE concat(table_name, '') IN ({names})
