-- The session as it is, read back, and facts of the server. Written from the manual of MySQL 8.0.
SELECT 'session' AS kind, CAST(JSON_OBJECT(
    'user', current_user(),
    'role', nullif(current_role(), 'NONE'),
    'database', database(),
    'transaction_read_only', @@session.transaction_read_only + 0,
    'lock_wait_timeout', @@session.lock_wait_timeout,
    'whole_answers', CASE WHEN @@session.sql_select_limit = 18446744073709551615 AND @@session.max_error_count >= 64
        THEN 1 ELSE 0 END,
    'statement_limit', @@session.max_execution_time,
    'sql_mode', @@session.sql_mode,
    'lower_case_table_names', @@global.lower_case_table_names,
    'read_only', CASE WHEN CAST(@@global.read_only AS CHAR) IN ('0', 'OFF') THEN 0 ELSE 1 END,
    'now', utc_timestamp(),
    'now_unix', unix_timestamp(),
    'now_days', to_days(utc_timestamp()),
    'now_seconds', to_seconds(utc_timestamp()),
    'now_year', year(utc_timestamp())) AS CHAR) AS fact
