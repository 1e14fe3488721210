-- Routines that events may call: those of the database and of the databases that events live in.
SELECT 'routine' AS kind, CAST(JSON_OBJECT(
    'schema', routine_schema,
    'name', routine_name,
    'type', routine_type,
    'body', LEFT(routine_definition, 100000),
    'definer', CASE WHEN security_type = 'DEFINER' THEN definer END) AS CHAR) AS fact
FROM information_schema.routines
WHERE routine_schema = ? OR routine_schema IN (SELECT event_schema FROM information_schema.events)
UNION ALL
SELECT 'parameter', CAST(JSON_OBJECT(
    'schema', specific_schema,
    'routine', specific_name,
    'position', ordinal_position,
    'name', parameter_name) AS CHAR)
FROM information_schema.parameters
WHERE ordinal_position > 0
    AND (specific_schema = ? OR specific_schema IN (SELECT event_schema FROM information_schema.events))
