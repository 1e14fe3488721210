-- Every table and view of the file by kind: small rows, needed to find names that are nearly the wanted ones.
SELECT CAST(name AS BLOB), CAST(type AS BLOB), wr, strict
FROM pragma_table_list
WHERE schema = 'main'
ORDER BY name
