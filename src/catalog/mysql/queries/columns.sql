-- Columns. EXTRA holds what has no column of its own: AUTO_INCREMENT, ON UPDATE, generated, invisible.
SELECT 'column' AS kind, CAST(JSON_OBJECT(
    'table', table_name,
    'name', column_name,
    'default', column_default,
    'nullable', is_nullable,
    'type', column_type,
    'charset', character_set_name,
    'collation', collation_name,
    'extra', extra,
    'generation', generation_expression) AS CHAR) AS fact
FROM information_schema.columns
WHERE table_schema = ? AND table_name IN ({names})
