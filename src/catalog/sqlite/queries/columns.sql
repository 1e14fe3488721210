-- hidden: 0 plain, 1 hidden column of a virtual table, 2 computed on each read, 3 computed and stored.
SELECT CAST(w.value AS BLOB), CAST(c.name AS BLOB), CAST(c.type AS BLOB), c."notnull",
       CAST(c.dflt_value AS BLOB), c.pk, c.hidden
FROM json_each(?1) AS w
JOIN pragma_table_xinfo(w.value, 'main') AS c
ORDER BY w.key, c.cid
