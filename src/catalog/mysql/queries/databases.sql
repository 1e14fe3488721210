-- The databases of the server that the user can see, without the server's own.
SELECT CONVERT(s.SCHEMA_NAME USING utf8mb4) AS name
FROM information_schema.SCHEMATA AS s
WHERE s.SCHEMA_NAME NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys')
ORDER BY 1
