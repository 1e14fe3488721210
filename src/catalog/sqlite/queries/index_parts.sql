-- One row per key part. The rows with key = 0 are the row number or primary key that every index carries along.
SELECT CAST(w.value AS BLOB), CAST(i.name AS BLOB), i."unique", CAST(i.origin AS BLOB), i.partial,
       CAST(p.name AS BLOB), p."desc", CAST(p.coll AS BLOB)
FROM json_each(?1) AS w
JOIN pragma_index_list(w.value, 'main') AS i
JOIN pragma_index_xinfo(i.name, 'main') AS p
WHERE p."key" = 1
ORDER BY w.key, i.name, p.seqno
