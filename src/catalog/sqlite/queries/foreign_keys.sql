SELECT CAST(w.value AS BLOB), f.id, CAST(f."table" AS BLOB), CAST(f."from" AS BLOB), CAST(f."to" AS BLOB),
       CAST(f.on_delete AS BLOB)
FROM json_each(?1) AS w
JOIN pragma_foreign_key_list(w.value, 'main') AS f
ORDER BY w.key, f.id DESC, f.seq
