-- Check constraints. Names are unique within a table only.
SELECT 'check' AS kind, CAST(JSON_OBJECT(
    'table', table_name,
    'name', constraint_name,
    'sql', check_clause,
    'level', level,
    'enforced', 'YES') AS CHAR) AS fact
FROM information_schema.check_constraints
WHERE constraint_schema = ? AND table_name IN ({names})
