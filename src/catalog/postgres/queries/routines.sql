-- What jobs may call, who they run as, what those roles may do, and what stands around the wanted tables: views that
-- deletions go through, and triggers of other tables that delete.
--
-- $1: {"commands": [texts of jobs], "roles": [names], "tables": [wanted tables]}
-- $2: the namespace of the wanted tables.
WITH RECURSIVE
question AS MATERIALIZED (
    SELECT
        (SELECT pg_catalog.string_agg(c.text, ' ') FROM pg_catalog.json_array_elements_text($1::json -> 'commands') AS c (text)) AS text
),
-- Functions that people made, by the mention of their names; what those mention in turn.
called AS (
    SELECT p.oid, p.prosrc, 1 AS depth
    FROM pg_catalog.pg_proc AS p
    JOIN question ON pg_catalog.strpos(pg_catalog.lower(question.text), pg_catalog.lower(p.proname::text)) > 0
    WHERE p.oid >= 16384 AND NOT EXISTS (
        SELECT FROM pg_catalog.pg_depend AS d
        WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid AND d.deptype = 'e'
    )
    UNION
    SELECT p.oid, p.prosrc, called.depth + 1
    FROM called
    JOIN pg_catalog.pg_proc AS p
        ON pg_catalog.strpos(pg_catalog.lower(called.prosrc), pg_catalog.lower(p.proname::text)) > 0
    WHERE called.depth < 3 AND p.oid >= 16384 AND NOT EXISTS (
        SELECT FROM pg_catalog.pg_depend AS d
        WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid AND d.deptype = 'e'
    )
),
routines AS MATERIALIZED (
    SELECT p.*, n.nspname, l.lanname, o.rolname AS owner
    FROM pg_catalog.pg_proc AS p
    JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
    JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang
    LEFT JOIN pg_catalog.pg_roles AS o ON o.oid = p.proowner
    WHERE p.oid IN (SELECT called.oid FROM called)
),
roles AS MATERIALIZED (
    SELECT r.name, o.oid, o.rolcanlogin, o.rolsuper, o.rolbypassrls
    FROM (
        SELECT q.name FROM pg_catalog.json_array_elements_text($1::json -> 'roles') AS q (name)
        UNION
        SELECT routines.owner::text FROM routines WHERE routines.prosecdef
    ) AS r
    LEFT JOIN pg_catalog.pg_roles AS o ON o.rolname = r.name::name
    WHERE r.name IS NOT NULL
),
ledgers AS MATERIALIZED (
    SELECT q.name, c.*
    FROM pg_catalog.json_array_elements_text($1::json -> 'tables') AS q (name)
    JOIN pg_catalog.pg_class AS c ON c.relname = q.name::name AND c.relkind IN ('r', 'p')
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace AND n.nspname = $2
),
-- Views over the wanted tables, and views over those.
above AS (
    SELECT ledgers.oid, 0 AS depth FROM ledgers
    UNION
    SELECT w.ev_class, above.depth + 1
    FROM above
    JOIN pg_catalog.pg_depend AS d
        ON d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid = above.oid
        AND d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
    JOIN pg_catalog.pg_rewrite AS w ON w.oid = d.objid AND w.ev_type = '1' AND w.ev_class <> above.oid
    WHERE above.depth < 3
)
SELECT pg_catalog.json_build_object(
    'undeletable', (
        SELECT pg_catalog.json_agg(ledgers.name)
        FROM ledgers
        WHERE ledgers.relkind = 'r' AND ledgers.relpersistence = 'p'
            AND ledgers.relreplident <> 'f'
            AND NOT EXISTS (
                SELECT FROM pg_catalog.pg_index AS i
                WHERE i.indrelid = ledgers.oid AND i.indisvalid AND i.indimmediate
                    AND CASE ledgers.relreplident
                        WHEN 'd' THEN i.indisprimary
                        WHEN 'i' THEN i.indisreplident
                        ELSE false
                    END
            )
            AND EXISTS (
                SELECT FROM pg_catalog.pg_publication_tables AS t
                JOIN pg_catalog.pg_publication AS p ON p.pubname = t.pubname
                WHERE p.pubdelete AND t.schemaname = $2::name AND t.tablename = ledgers.relname
            )
    ),
    'views', (SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
        'namespace', n.nspname,
        'name', c.relname,
        'definition', pg_catalog.pg_get_viewdef(c.oid),
        'instead', coalesce(
            (SELECT pg_catalog.left(p.prosrc, 100000)
             FROM pg_catalog.pg_trigger AS g
             JOIN pg_catalog.pg_proc AS p ON p.oid = g.tgfoid
             WHERE g.tgrelid = c.oid AND NOT g.tgisinternal AND g.tgenabled IN ('O', 'A')
                 AND g.tgtype & 64 <> 0 AND g.tgtype & 8 <> 0
             LIMIT 1),
            (SELECT pg_catalog.pg_get_ruledef(w.oid)
             FROM pg_catalog.pg_rewrite AS w
             WHERE w.ev_class = c.oid AND w.ev_type = '4' AND w.is_instead AND w.ev_enabled IN ('O', 'A')
             LIMIT 1)
        )
    ) ORDER BY n.nspname, c.relname)
        FROM pg_catalog.pg_class AS c
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.relkind = 'v' AND c.oid IN (SELECT above.oid FROM above)),
    'triggers', (SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
        'namespace', n.nspname,
        'table', c.relname,
        'name', g.tgname,
        'function', p.proname,
        'body', pg_catalog.left(p.prosrc, 100000)
    ) ORDER BY n.nspname, c.relname, g.tgname)
        FROM pg_catalog.pg_trigger AS g
        JOIN pg_catalog.pg_proc AS p ON p.oid = g.tgfoid
        JOIN pg_catalog.pg_class AS c ON c.oid = g.tgrelid
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE NOT g.tgisinternal AND g.tgenabled IN ('O', 'A') AND p.prosrc ~* '(delete|truncate)'
            AND EXISTS (
                SELECT FROM ledgers
                WHERE pg_catalog.strpos(pg_catalog.lower(p.prosrc), pg_catalog.lower(ledgers.name)) > 0
                    AND ledgers.oid <> c.oid
            )),
    'routines', (SELECT coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
        'namespace', r.nspname,
        'name', r.proname,
        'language', r.lanname,
        'body', coalesce(
            (SELECT pg_catalog.pg_get_functiondef(r.oid)
             WHERE r.lanname = 'sql' AND pg_catalog.to_jsonb(r) ->> 'prosqlbody' IS NOT NULL),
            pg_catalog.left(r.prosrc, 100000)
        ),
        'kind', CASE
            WHEN r.prorettype = 'pg_catalog.trigger'::pg_catalog.regtype THEN 'trigger'
            WHEN r.prokind = 'p' THEN 'procedure'
            ELSE 'function'
        END,
        'reads_only', r.provolatile <> 'v',
        'closed_to', (
            SELECT pg_catalog.json_agg(o.name ORDER BY o.name)
            FROM roles AS o
            WHERE o.oid IS NOT NULL AND NOT (
                pg_catalog.has_function_privilege(o.oid, r.oid, 'EXECUTE')
                AND pg_catalog.has_schema_privilege(o.oid, r.pronamespace, 'USAGE')
            )
        ),
        'definer', CASE WHEN r.prosecdef THEN r.owner END,
        'settings', r.proconfig,
        'parameters', (
            SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                'name', r.proargnames[a.place],
                'default', pg_catalog.pg_get_function_arg_default(r.oid, a.place::integer)
            ) ORDER BY a.place)
            FROM pg_catalog.generate_series(1, coalesce(pg_catalog.array_length(r.proallargtypes, 1), r.pronargs)) AS a (place)
            WHERE r.proargmodes IS NULL OR r.proargmodes[a.place] IN ('i', 'b', 'v')
        )
    ) ORDER BY r.nspname, r.proname, r.oid), '[]')
        FROM routines AS r),
    'roles', (SELECT coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
        'name', r.name,
        'exists', r.oid IS NOT NULL,
        'can_login', r.rolcanlogin,
        'superuser', r.rolsuper,
        'read_only', (
            SELECT pg_catalog.lower(pg_catalog.split_part(c.setting, '=', 2)) IN ('on', 'true', 'yes', '1')
            FROM pg_catalog.pg_db_role_setting AS s
            CROSS JOIN LATERAL pg_catalog.unnest(s.setconfig) AS c (setting)
            WHERE c.setting LIKE 'default\_transaction\_read\_only=%'
                AND s.setrole IN (r.oid, 0)
                AND s.setdatabase IN (0, (
                    SELECT d.oid FROM pg_catalog.pg_database AS d WHERE d.datname = pg_catalog.current_database()
                ))
            ORDER BY s.setrole <> 0 AND s.setdatabase <> 0 DESC, s.setrole <> 0 DESC
            LIMIT 1
        ),
        'path', (
            SELECT pg_catalog.substr(c.setting, 13)
            FROM pg_catalog.pg_db_role_setting AS s
            CROSS JOIN LATERAL pg_catalog.unnest(s.setconfig) AS c (setting)
            WHERE c.setting LIKE 'search\_path=%'
                AND s.setrole IN (r.oid, 0)
                AND s.setdatabase IN (0, (
                    SELECT d.oid FROM pg_catalog.pg_database AS d WHERE d.datname = pg_catalog.current_database()
                ))
            ORDER BY s.setrole <> 0 AND s.setdatabase <> 0 DESC, s.setrole <> 0 DESC
            LIMIT 1
        ),
        'tables', (
            SELECT pg_catalog.json_object_agg(t.name, pg_catalog.json_build_object(
                'delete', pg_catalog.has_table_privilege(r.oid, t.oid, 'DELETE')
                    AND pg_catalog.has_any_column_privilege(r.oid, t.oid, 'SELECT')
                    AND pg_catalog.has_schema_privilege(r.oid, t.relnamespace, 'USAGE'),
                'truncate', pg_catalog.has_table_privilege(r.oid, t.oid, 'TRUNCATE'),
                'drop', r.rolsuper OR pg_catalog.pg_has_role(r.oid, t.relowner, 'USAGE'),
                'rows_hidden', t.relrowsecurity
                    AND NOT r.rolsuper AND NOT r.rolbypassrls
                    AND (t.relforcerowsecurity OR NOT pg_catalog.pg_has_role(r.oid, t.relowner, 'USAGE'))
                    AND (
                        NOT EXISTS (
                            SELECT FROM pg_catalog.pg_policy AS l
                            WHERE l.polrelid = t.oid AND l.polpermissive AND l.polcmd IN ('*', 'd')
                                AND (0 = ANY (l.polroles) OR EXISTS (
                                    SELECT FROM pg_catalog.unnest(l.polroles) AS m (oid)
                                    WHERE m.oid <> 0 AND pg_catalog.pg_has_role(r.oid, m.oid, 'USAGE')
                                ))
                                AND pg_catalog.pg_get_expr(l.polqual, l.polrelid) = 'true'
                        )
                        OR EXISTS (
                            SELECT FROM pg_catalog.pg_policy AS l
                            WHERE l.polrelid = t.oid AND NOT l.polpermissive AND l.polcmd IN ('*', 'd', 'r')
                        )
                    )
            ))
            FROM ledgers AS t
            WHERE r.oid IS NOT NULL
        )
    ) ORDER BY r.name), '[]')
        FROM roles AS r)
)::text
