-- What lies between jobs and tables: views of the databases that events live in, and triggers that delete rows.
SELECT 'view' AS kind, CAST(JSON_OBJECT(
    'schema', table_schema,
    'name', table_name,
    'definition', NULLIF(view_definition, '')) AS CHAR) AS fact
FROM information_schema.views
WHERE table_schema IN ({schemas})
UNION ALL
SELECT 'trigger', CAST(JSON_OBJECT(
    'schema', event_object_schema,
    'table', event_object_table,
    'name', trigger_name,
    'timing', action_timing,
    'event', event_manipulation,
    'mode', sql_mode,
    'body', LEFT(action_statement, 100000)) AS CHAR)
FROM information_schema.triggers
WHERE event_object_schema = ? AND LOWER(action_statement) LIKE '%delete%'
