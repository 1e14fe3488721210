-- Triggers. A table's triggers live in its own database.
SELECT 'trigger' AS kind, CAST(JSON_OBJECT(
    'table', event_object_table,
    'name', trigger_name,
    'timing', action_timing,
    'event', event_manipulation,
    'body', action_statement) AS CHAR) AS fact
FROM information_schema.triggers
WHERE trigger_schema = ? AND event_object_table IN ({names})
