-- Who answers, and whether the session is what was asked for. Reading sqlite_schema pins the snapshot.
-- Texts are cast here and in the other queries: a cast gives them in the file's encoding, which the letter tells.
SELECT CAST(sqlite_version() AS BLOB),
       (SELECT query_only FROM pragma_query_only),
       (SELECT trusted_schema FROM pragma_trusted_schema),
       (SELECT count(*) FROM sqlite_schema),
       CAST('a' AS BLOB)
