-- Who answers. Sent before the session is set up, so it uses nothing that a sql_mode changes.
SELECT version() AS version, CAST(@@global.sql_mode AS CHAR) AS sql_mode
