-- Views. The definition is empty without SHOW VIEW.
SELECT 'view' AS kind, CAST(JSON_OBJECT(
    'table', table_name,
    'updatable', is_updatable,
    'definition', view_definition) AS CHAR) AS fact
FROM information_schema.views
WHERE table_schema = ? AND table_name IN ({names})
