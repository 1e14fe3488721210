-- Fixes the settings of this transaction and says who answers.
--
-- Names are looked up in the role's own search path while this statement is parsed, so every name is qualified and
-- no operator is used. The inner query is read before the settings change; OFFSET 0 keeps it a query of its own.
-- A database of encoding SQL_ASCII converts no text, and its texts need not be UTF-8.
SELECT pg_catalog.json_build_object(
    'search_path', before.search_path,
    'version', pg_catalog.version(),
    'server_version', pg_catalog.current_setting('server_version'),
    'server_version_num', pg_catalog.current_setting('server_version_num'),
    'database', pg_catalog.current_database(),
    'role', current_user,
    'replica', pg_catalog.pg_is_in_recovery(),
    'encoding', pg_catalog.current_setting('server_encoding'),
    'fsync', pg_catalog.current_setting('fsync'),
    'now', pg_catalog.timezone('UTC', pg_catalog.now()),
    'settings', pg_catalog.json_build_object(
        'transaction_read_only', pg_catalog.current_setting('transaction_read_only'),
        'transaction_isolation', pg_catalog.current_setting('transaction_isolation'),
        'statement_timeout', pg_catalog.set_config('statement_timeout', $1, true),
        'lock_timeout', pg_catalog.set_config('lock_timeout', $2, true),
        'idle_in_transaction_session_timeout',
        pg_catalog.set_config('idle_in_transaction_session_timeout', $1, true),
        'client_encoding', pg_catalog.set_config(
            'client_encoding',
            coalesce(
                pg_catalog.substring(pg_catalog.current_setting('server_encoding'), '^SQL_ASCII$'::pg_catalog.text),
                'UTF8'
            ),
            true
        ),
        'search_path', pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true),
        'jit', pg_catalog.set_config('jit', 'off', true),
        'quote_all_identifiers', pg_catalog.set_config('quote_all_identifiers', 'off', true),
        'standard_conforming_strings', pg_catalog.set_config('standard_conforming_strings', 'on', true),
        'extra_float_digits', pg_catalog.set_config('extra_float_digits', '1', true),
        'DateStyle', pg_catalog.set_config('DateStyle', 'ISO, MDY', true),
        'IntervalStyle', pg_catalog.set_config('IntervalStyle', 'postgres', true),
        'TimeZone', pg_catalog.set_config('TimeZone', 'UTC', true)
    )
)::pg_catalog.text
FROM (SELECT pg_catalog.current_schemas(true) AS search_path OFFSET 0) AS before
