-- Index parts. IGNORED exists since MariaDB 10.6 and is replaced by a constant before it.
SELECT 'index' AS kind, CAST(JSON_OBJECT(
    'table', table_name,
    'name', index_name,
    'non_unique', non_unique,
    'position', seq_in_index,
    'column', column_name,
    'expression', NULL,
    'prefix', sub_part,
    'order', collation,
    'method', index_type,
    'ignored', {ignored}) AS CHAR) AS fact
FROM information_schema.statistics
WHERE table_schema = ? AND table_name IN ({names})
