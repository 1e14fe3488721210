-- What foreign keys do to rows whose parent goes.
SELECT 'action' AS kind, CAST(JSON_OBJECT(
    'table', table_name,
    'name', constraint_name,
    'on_delete', delete_rule) AS CHAR) AS fact
FROM information_schema.referential_constraints
WHERE constraint_schema = ? AND table_name IN ({names})
