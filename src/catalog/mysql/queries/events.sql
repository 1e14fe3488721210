-- Events of every database, since one may name a table of another. Without the EVENT privilege the list is empty and
-- nothing says so. Truth values are made numbers, since JSON_OBJECT prints them in more than one way. Times are in the event's own zone; a zone that the server does not know is taken for UTC.
SELECT 'event' AS kind, CAST(JSON_OBJECT(
    'schema', event_schema,
    'name', event_name,
    'definer', definer,
    'definition', LEFT(event_definition, 100000),
    'mode', sql_mode,
    'type', event_type,
    'value', interval_value,
    'field', interval_field,
    'status', status,
    'starts_ago', TIMESTAMPDIFF(SECOND, starts, COALESCE(CONVERT_TZ(now(), @@session.time_zone, time_zone), utc_timestamp())),
    'ends_ago', TIMESTAMPDIFF(SECOND, ends, COALESCE(CONVERT_TZ(now(), @@session.time_zone, time_zone), utc_timestamp())),
    'ran_ago', TIMESTAMPDIFF(SECOND, last_executed, COALESCE(CONVERT_TZ(now(), @@session.time_zone, time_zone), utc_timestamp())),
    'made_ago', TIMESTAMPDIFF(SECOND, created, now()),
    'zone', time_zone,
    'ahead', TIMESTAMPDIFF(SECOND, utc_timestamp(), CONVERT_TZ(now(), @@session.time_zone, time_zone)),
    'definer_known', CASE
        WHEN definer NOT LIKE '%_@_%' OR definer LIKE '%@%@%' THEN NULL
        WHEN EXISTS (
            SELECT 1 FROM information_schema.user_privileges
            WHERE grantee = CONCAT('''', REPLACE(definer, '@', '''@'''), '''')) THEN 1
        ELSE 0 END) AS CHAR) AS fact
FROM information_schema.events
