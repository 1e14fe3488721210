-- Who answers. Sent before the session is set up, so it uses nothing that a sql_mode changes; without its own limit,
-- a sql_select_limit of 0 would leave nothing of it.
SELECT version() AS version, CAST(@@global.sql_mode AS CHAR) AS sql_mode LIMIT 1
