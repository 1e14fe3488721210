-- Index parts. Functional key parts have an expression and no column. Written from the manual of MySQL 8.0.
SELECT 'index' AS kind, CAST(JSON_OBJECT(
    'table', table_name,
    'name', index_name,
    'non_unique', non_unique,
    'position', seq_in_index,
    'column', column_name,
    'expression', expression,
    'prefix', sub_part,
    'order', collation,
    'method', index_type,
    'ignored', CASE WHEN is_visible = 'NO' THEN 'YES' ELSE 'NO' END) AS CHAR) AS fact
FROM information_schema.statistics
WHERE table_schema = ? AND table_name IN ({names})
