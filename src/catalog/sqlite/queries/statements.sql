-- Texts of the wanted tables and of what hangs on them (?1), and the places of wanted index names (?2).
-- NOCASE folds ASCII letters only, as SQLite does for names.
SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(sql AS BLOB)
FROM sqlite_schema
WHERE tbl_name COLLATE NOCASE IN (SELECT value FROM json_each(?1))
   OR (type = 'index' AND name COLLATE NOCASE IN (SELECT value FROM json_each(?2)))
ORDER BY type, name
