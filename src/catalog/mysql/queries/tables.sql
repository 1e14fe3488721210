-- The wanted tables. One that cannot be opened has no engine, and the reason instead of its comment.
SELECT 'table' AS kind, CAST(JSON_OBJECT(
    'name', table_name,
    'kind', table_type,
    'engine', engine,
    'collation', table_collation,
    'comment', CASE WHEN engine IS NULL THEN table_comment END) AS CHAR) AS fact
FROM information_schema.tables
WHERE table_schema = ? AND table_name IN ({names})
