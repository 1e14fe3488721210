-- Triggers of every table and view, since one may delete rows of another table; and views, since rows may be deleted
-- through them.
SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(sql AS BLOB)
FROM main.sqlite_schema
WHERE type = 'view' OR (type = 'trigger' AND lower(sql) LIKE '%delete%')
ORDER BY type, name
