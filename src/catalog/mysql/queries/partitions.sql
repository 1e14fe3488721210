-- Partitions; a table without any has one row without a name.
SELECT 'partition' AS kind, CAST(JSON_OBJECT(
    'table', table_name,
    'name', partition_name,
    'position', partition_ordinal_position,
    'method', partition_method,
    'expression', partition_expression,
    'description', partition_description) AS CHAR) AS fact
FROM information_schema.partitions
WHERE table_schema = ? AND table_name IN ({names}) AND partition_name IS NOT NULL
