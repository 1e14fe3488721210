-- What the accounts that jobs and triggers run as may do. Roles are no part of it: neither takes any.
SELECT 'privilege' AS kind, CAST(JSON_OBJECT('grantee', grantee, 'privilege', privilege_type) AS CHAR) AS fact
FROM information_schema.user_privileges
WHERE privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'DROP', 'EVENT', 'TRIGGER') AND SUBSTRING_INDEX(grantee, '''@', 1) IN ({users})
UNION ALL
SELECT 'privilege', CAST(JSON_OBJECT(
    'grantee', grantee, 'schema', table_schema, 'privilege', privilege_type) AS CHAR)
FROM information_schema.schema_privileges
WHERE privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'DROP', 'EVENT', 'TRIGGER') AND SUBSTRING_INDEX(grantee, '''@', 1) IN ({users})
UNION ALL
SELECT 'privilege', CAST(JSON_OBJECT(
    'grantee', grantee, 'schema', table_schema, 'table', table_name, 'privilege', privilege_type) AS CHAR)
FROM information_schema.table_privileges
WHERE privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'DROP', 'TRIGGER') AND SUBSTRING_INDEX(grantee, '''@', 1) IN ({users})
UNION ALL
SELECT DISTINCT 'privilege', CAST(JSON_OBJECT(
    'grantee', grantee, 'schema', table_schema, 'table', table_name, 'privilege', privilege_type) AS CHAR)
FROM information_schema.column_privileges
WHERE privilege_type IN ('SELECT', 'INSERT', 'UPDATE') AND SUBSTRING_INDEX(grantee, '''@', 1) IN ({users})
