-- What triggers name: tables, also those of other databases, and procedures. Names only, see names.sql.
SELECT 'target' AS kind, CAST(JSON_OBJECT('namespace', table_schema, 'name', table_name) AS CHAR) AS fact
FROM information_schema.tables
WHERE table_schema IN ({schemas}) AND concat(table_name, '') IN ({tables})
UNION ALL
SELECT 'procedure', CAST(JSON_OBJECT('namespace', routine_schema, 'name', routine_name) AS CHAR)
FROM information_schema.routines
WHERE routine_type = 'PROCEDURE' AND concat(routine_name, '') IN ({calls})
