-- Check constraints. Names are unique within a database. Written from the manual of MySQL 8.0.
SELECT 'check' AS kind, CAST(JSON_OBJECT(
    'table', t.table_name,
    'name', c.constraint_name,
    'sql', c.check_clause,
    'level', NULL,
    'enforced', t.enforced) AS CHAR) AS fact
FROM information_schema.table_constraints t
JOIN information_schema.check_constraints c
  ON c.constraint_schema = t.constraint_schema AND c.constraint_name = t.constraint_name
WHERE t.table_schema = ? AND t.table_name IN ({names}) AND t.constraint_type = 'CHECK'
