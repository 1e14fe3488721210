-- Triggers. The server looks tables up by event_object_schema; asked by trigger_schema it would open the tables of these
-- names in every database, and wait for locks on them.
SELECT 'trigger' AS kind, CAST(JSON_OBJECT(
    'table', event_object_table,
    'name', trigger_name,
    'timing', action_timing,
    'event', event_manipulation,
    'body', LEFT(action_statement, 100000),
    'mode', sql_mode,
    'definer', definer,
    'definer_known', CASE
        WHEN definer NOT LIKE '%_@_%' OR definer LIKE '%@%@%' THEN NULL
        WHEN EXISTS (
            SELECT 1 FROM information_schema.user_privileges
            WHERE grantee = CONCAT('''', REPLACE(definer, '@', '''@'''), '''')) THEN 1
        ELSE 0 END) AS CHAR) AS fact
FROM information_schema.triggers
WHERE event_object_schema = ? AND event_object_table IN ({names})
