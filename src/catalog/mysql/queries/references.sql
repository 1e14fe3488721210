-- Columns of foreign keys. Roles that may only SELECT see them here, but not in table_constraints.
SELECT 'reference' AS kind, CAST(JSON_OBJECT(
    'table', table_name,
    'name', constraint_name,
    'position', ordinal_position,
    'column', column_name,
    'referenced_namespace', referenced_table_schema,
    'referenced_table', referenced_table_name,
    'referenced_column', referenced_column_name) AS CHAR) AS fact
FROM information_schema.key_column_usage
WHERE table_schema = ? AND table_name IN ({names}) AND referenced_table_name IS NOT NULL
