-- Routines that events may call: those of every database but the server's own.
SELECT 'routine' AS kind, CAST(JSON_OBJECT(
    'schema', routine_schema,
    'name', routine_name,
    'type', routine_type,
    'body', LEFT(routine_definition, 100000),
    'mode', sql_mode,
    'definer', CASE WHEN security_type = 'DEFINER' THEN definer END,
    'definer_known', CASE
        WHEN definer NOT LIKE '%_@_%' OR definer LIKE '%@%@%' THEN NULL
        WHEN EXISTS (
            SELECT 1 FROM information_schema.user_privileges
            WHERE grantee = CONCAT('''', REPLACE(definer, '@', '''@'''), '''')) THEN 1
        ELSE 0 END) AS CHAR) AS fact
FROM information_schema.routines
WHERE routine_schema NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')
UNION ALL
SELECT 'parameter', CAST(JSON_OBJECT(
    'schema', specific_schema,
    'routine', specific_name,
    'position', ordinal_position,
    'name', parameter_name) AS CHAR)
FROM information_schema.parameters
WHERE ordinal_position > 0
    AND specific_schema NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')
