-- Everything about the wanted tables, as one JSON document, whatever their number.
--
-- $1: {"tables": [{"name": ..., "indexes": [...]}], "path": [namespaces the role's bare names are looked up in]}
-- $2: the namespace to look in.
--
-- Relations and functions are qualified; operators and type names are found in pg_catalog, since session.sql has
-- made that the search path, which also makes the server print every other name qualified. Only pg_class, OIDs and
-- functions over OIDs are used: information_schema hides objects from roles without rights on them, and a cast to
-- regclass needs USAGE. Columns that only newer servers have are reached through to_jsonb.
WITH
question AS MATERIALIZED (
    SELECT
        q.ord,
        q.value ->> 'name' AS wanted,
        (q.value ->> 'name')::name AS stored,
        -- The form in which near names are looked for: lower case, no separators, no end that a plural changes.
        nullif(rtrim(translate(pg_catalog.lower(q.value ->> 'name'), '_-. ', ''), 'iesy'), '') AS folded,
        q.value -> 'indexes' AS indexes
    FROM pg_catalog.json_array_elements($1::json -> 'tables') WITH ORDINALITY AS q (value, ord)
),
space AS MATERIALIZED (
    SELECT n.oid FROM pg_catalog.pg_namespace AS n WHERE n.nspname = $2
),
-- The namespaces that people make; other sessions' temporary tables are noise.
spaces AS MATERIALIZED (
    SELECT n.oid, n.nspname
    FROM pg_catalog.pg_namespace AS n
    WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
),
wanted AS MATERIALIZED (
    SELECT question.ord, c.*
    FROM question
    CROSS JOIN space
    JOIN pg_catalog.pg_class AS c ON c.relname = question.stored AND c.relnamespace = space.oid
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
),
-- Below each wanted table: its partitions, or the tables that inherit from it, at any depth.
heirs AS MATERIALIZED (
    WITH RECURSIVE tree (root, parent, oid, depth) AS (
        SELECT h.inhparent, h.inhparent, h.inhrelid, 1
        FROM wanted
        JOIN pg_catalog.pg_inherits AS h ON h.inhparent = wanted.oid
        WHERE wanted.relhassubclass
            AND NOT coalesce((pg_catalog.to_jsonb(h) ->> 'inhdetachpending')::boolean, false)
        UNION ALL
        SELECT tree.root, h.inhparent, h.inhrelid, tree.depth + 1
        FROM tree
        JOIN pg_catalog.pg_inherits AS h ON h.inhparent = tree.oid
        WHERE NOT coalesce((pg_catalog.to_jsonb(h) ->> 'inhdetachpending')::boolean, false)
    )
    SELECT DISTINCT ON (tree.root, tree.oid)
        tree.root, tree.parent, tree.depth, c.oid, c.relname, c.relnamespace, c.relpersistence, c.relpartbound
    FROM tree
    JOIN pg_catalog.pg_class AS c ON c.oid = tree.oid
    ORDER BY tree.root, tree.oid, tree.depth
),
-- Each wanted table, and its partitions by name.
parts AS MATERIALIZED (
    SELECT wanted.oid AS root, wanted.oid, NULL::name AS name
    FROM wanted
    UNION ALL
    SELECT heirs.root, heirs.oid, heirs.relname
    FROM heirs
    JOIN wanted ON wanted.oid = heirs.root AND wanted.relkind = 'p'
),
-- One scan of the namespace for names that could be meant, each folded once.
folded AS MATERIALIZED (
    SELECT
        c.relname,
        c.relkind,
        rtrim(translate(pg_catalog.lower(c.relname::text), '_-. ', ''), 'iesy') AS folded
    FROM pg_catalog.pg_class AS c
    JOIN space ON space.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
),
-- Of a table that is there, other spellings of its name; of one that is not, copies as well.
near AS MATERIALIZED (
    SELECT question.ord, c.relname, c.relkind
    FROM question
    JOIN folded AS c ON c.folded = question.folded AND c.relname <> question.stored
    UNION ALL
    SELECT lacking.ord, c.relname, c.relkind
    FROM (SELECT * FROM question WHERE question.ord NOT IN (SELECT wanted.ord FROM wanted)) AS lacking
    JOIN folded AS c ON pg_catalog.strpos(c.folded, lacking.folded) > 0
        AND pg_catalog.length(c.folded) <= pg_catalog.length(lacking.folded) + 16
        AND c.folded <> lacking.folded
),
-- Wanted index names that are on another table.
astray AS MATERIALIZED (
    SELECT question.ord, ic.relname AS name, tc.relname AS on_table
    FROM question
    CROSS JOIN space
    CROSS JOIN LATERAL pg_catalog.json_array_elements_text(question.indexes) AS x (name)
    JOIN pg_catalog.pg_class AS ic
        ON ic.relname = x.name::name AND ic.relnamespace = space.oid AND ic.relkind IN ('i', 'I')
    JOIN pg_catalog.pg_index AS i ON i.indexrelid = ic.oid
    JOIN pg_catalog.pg_class AS tc ON tc.oid = i.indrelid
    WHERE tc.relname <> question.stored
)
SELECT pg_catalog.json_build_object(
    'namespace', (SELECT pg_catalog.json_build_object(
        'exists', EXISTS (SELECT FROM space),
        'visible_tables', (
            SELECT count(*) FROM (
                SELECT FROM pg_catalog.pg_class AS c
                JOIN space ON space.oid = c.relnamespace
                WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
                LIMIT 1000
            ) AS some_tables
        ),
        'others', (
            SELECT coalesce(pg_catalog.json_agg(o.nspname), '[]')
            FROM (SELECT spaces.nspname FROM spaces WHERE spaces.nspname <> $2 ORDER BY 1 LIMIT 1000) AS o
        )
    )),
    -- Functions that a person made under a name that means another one where it stands alone.
    'impostors', (
        SELECT coalesce(pg_catalog.json_agg(DISTINCT f.proname), '[]')
        FROM pg_catalog.pg_proc AS f
        JOIN pg_catalog.pg_namespace AS n ON n.oid = f.pronamespace AND n.nspname = 'public'
        WHERE (f.proname ~ '^uuid' OR EXISTS (
                SELECT FROM pg_catalog.pg_proc AS own
                WHERE own.proname = f.proname AND own.pronamespace = 'pg_catalog'::pg_catalog.regnamespace
            ))
            AND NOT EXISTS (
                SELECT FROM pg_catalog.pg_depend AS d
                WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = f.oid AND d.deptype = 'e'
            )
    ),
    -- Roles that newer servers bring are found by name.
    'powers', (
        SELECT coalesce(pg_catalog.json_agg(p.name ORDER BY p.place), '[]')
        FROM pg_catalog.pg_roles AS r
        CROSS JOIN LATERAL (
            SELECT 1 AS place, 'a superuser' AS name WHERE r.rolsuper
            UNION ALL
            SELECT 2, 'allowed to make roles (CREATEROLE)' WHERE r.rolcreaterole AND NOT r.rolsuper
            UNION ALL
            SELECT 3, 'a member of ' || m.rolname
            FROM pg_catalog.pg_roles AS m
            WHERE m.rolname IN ('pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program')
                AND NOT r.rolsuper
                AND pg_catalog.pg_has_role(m.oid, 'USAGE')
        ) AS p
        WHERE r.rolname = current_user
    ),
    'builds_hidden', EXISTS (
        SELECT FROM pg_catalog.pg_stat_progress_create_index AS p
        WHERE p.datname = pg_catalog.current_database() AND p.relid IS NULL
    ),
    'tables', (SELECT coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
        'wanted', question.wanted,
        'object', (SELECT pg_catalog.json_build_object(
            'oid', t.oid::bigint,
            'name', t.relname,
            'kind', t.relkind,
            'persistence', t.relpersistence,
            'owner', pg_catalog.pg_get_userbyid(t.relowner),
            'owned', pg_catalog.pg_has_role(t.relowner, 'USAGE'),
            'writable', pg_catalog.has_any_column_privilege(t.oid, 'INSERT, UPDATE')
                OR pg_catalog.has_table_privilege(t.oid, 'DELETE, TRUNCATE'),
            'row_security', t.relrowsecurity,
            'row_security_forced', t.relforcerowsecurity,
            'partition_strategy', p.partstrat,
            'partition_key', pg_catalog.pg_get_partkeydef(t.oid),
            -- A rule may take the place of every insert, and no rule may write anything.
            'insertable', CASE WHEN t.relkind = 'v'
                THEN pg_catalog.pg_relation_is_updatable(t.oid, true) & 8 = 8 AND NOT coalesce((
                    SELECT bool_or(w.is_instead AND w.ev_qual::text = '<>')
                        AND bool_and(w.ev_action::text !~ ':resultRelation [1-9]')
                    FROM pg_catalog.pg_rewrite AS w
                    WHERE w.ev_class = t.oid AND w.ev_type = '3' AND w.ev_enabled IN ('O', 'A')
                ), false) END,
            'reads', CASE WHEN t.relkind IN ('v', 'm') THEN (
                SELECT pg_catalog.json_agg(DISTINCT r.name)
                FROM (
                    SELECT CASE WHEN s.relnamespace = t.relnamespace THEN s.relname::text
                        ELSE pg_catalog.format('%s.%s', n.nspname, s.relname) END AS name
                    FROM pg_catalog.pg_rewrite AS w
                    JOIN pg_catalog.pg_depend AS d ON d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
                        AND d.objid = w.oid
                        AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
                        AND d.refobjid <> t.oid
                    JOIN pg_catalog.pg_class AS s ON s.oid = d.refobjid AND s.relkind IN ('r', 'p', 'v', 'm', 'f')
                    JOIN pg_catalog.pg_namespace AS n ON n.oid = s.relnamespace
                    WHERE w.ev_class = t.oid
                ) AS r
            ) END,
            'columns', (SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                'name', a.attname,
                'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
                'not_null', a.attnotnull,
                'default', CASE WHEN a.attgenerated = '' THEN pg_catalog.pg_get_expr(ad.adbin, ad.adrelid) END,
                'generated', nullif(a.attgenerated, ''),
                'generation', CASE WHEN a.attgenerated <> '' THEN pg_catalog.pg_get_expr(ad.adbin, ad.adrelid) END,
                'identity', nullif(a.attidentity, ''),
                'owns_sequence', a.atthasdef AND EXISTS (
                    SELECT FROM pg_catalog.pg_depend AS d
                    JOIN pg_catalog.pg_class AS s ON s.oid = d.objid AND s.relkind = 'S'
                    WHERE d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
                        AND d.refobjid = a.attrelid AND d.refobjsubid = a.attnum
                        AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
                        AND d.deptype = 'a'
                ),
                'collation', a.attcollation::bigint,
                'type_collation', ty.typcollation::bigint,
                'domains', CASE WHEN ty.typtype = 'd' THEN (
                    WITH RECURSIVE wrap AS (
                        SELECT d.*, 1 AS depth FROM pg_catalog.pg_type AS d WHERE d.oid = a.atttypid
                        UNION ALL
                        SELECT d.*, wrap.depth + 1
                        FROM wrap
                        JOIN pg_catalog.pg_type AS d ON d.oid = wrap.typbasetype AND d.typtype = 'd'
                    )
                    SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                        'name', pg_catalog.format_type(wrap.oid, NULL),
                        'not_null', wrap.typnotnull,
                        'default', wrap.typdefault,
                        'base', pg_catalog.format_type(wrap.typbasetype, wrap.typtypmod),
                        'checks', (
                            SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                                'name', k.conname,
                                'sql', pg_catalog.pg_get_expr(k.conbin, 0),
                                'validated', k.convalidated
                            ) ORDER BY k.conname)
                            FROM pg_catalog.pg_constraint AS k
                            WHERE k.contypid = wrap.oid AND k.contype = 'c'
                        )
                    ) ORDER BY wrap.depth)
                    FROM wrap
                ) END,
                -- Only where there can be any: asked for each column, this is the dearest part of a wide spec.
                'labels', CASE WHEN ty.typtype IN ('d', 'e') THEN (
                    WITH RECURSIVE base AS (
                        SELECT a.atttypid AS oid
                        UNION ALL
                        SELECT d.typbasetype
                        FROM base
                        JOIN pg_catalog.pg_type AS d ON d.oid = base.oid AND d.typtype = 'd'
                    )
                    SELECT pg_catalog.json_agg(e.enumlabel ORDER BY e.enumsortorder)
                    FROM base
                    JOIN pg_catalog.pg_enum AS e ON e.enumtypid = base.oid
                ) END
            ) ORDER BY a.attnum)
                FROM pg_catalog.pg_attribute AS a
                JOIN pg_catalog.pg_type AS ty ON ty.oid = a.atttypid
                LEFT JOIN pg_catalog.pg_attrdef AS ad ON ad.adrelid = a.attrelid AND ad.adnum = a.attnum
                WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
            ),
            'constraints', (SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                'name', k.conname,
                'partition', part.name,
                'partition_rows', CASE WHEN part.name IS NOT NULL AND k.contype = 'c'
                    THEN pg_catalog.left(pg_catalog.pg_get_partition_constraintdef(part.oid), 10000) END,
                'type', k.contype,
                'validated', k.convalidated,
                'enforced', coalesce((pg_catalog.to_jsonb(k) ->> 'conenforced')::boolean, true),
                'columns', (
                    SELECT pg_catalog.json_agg(a.attname ORDER BY u.ord)
                    FROM pg_catalog.unnest(k.conkey) WITH ORDINALITY AS u (attnum, ord)
                    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = u.attnum
                ),
                'sql', CASE WHEN k.contype = 'c' THEN pg_catalog.pg_get_expr(k.conbin, k.conrelid) END,
                'referenced_table', CASE WHEN k.contype = 'f' THEN (
                    SELECT CASE WHEN r.relnamespace = t.relnamespace THEN r.relname::text
                        ELSE pg_catalog.format('%s.%s', n.nspname, r.relname) END
                    FROM pg_catalog.pg_class AS r
                    JOIN pg_catalog.pg_namespace AS n ON n.oid = r.relnamespace
                    WHERE r.oid = k.confrelid
                ) END,
                'referenced_columns', CASE WHEN k.contype = 'f' THEN (
                    SELECT pg_catalog.json_agg(a.attname ORDER BY u.ord)
                    FROM pg_catalog.unnest(k.confkey) WITH ORDINALITY AS u (attnum, ord)
                    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = k.confrelid AND a.attnum = u.attnum
                ) END,
                'on_delete', CASE WHEN k.contype = 'f' THEN k.confdeltype END
            ) ORDER BY k.conname, part.name NULLS FIRST)
                FROM parts AS part
                JOIN pg_catalog.pg_constraint AS k ON k.conrelid = part.oid
                -- A foreign key to a partitioned table has one more row for each of its partitions, and so has one of it.
                WHERE part.root = t.oid AND CASE WHEN part.name IS NULL
                    THEN k.contype IN ('c', 'f', 'n') AND NOT EXISTS (
                        SELECT FROM pg_catalog.pg_constraint AS above
                        WHERE above.oid = k.conparentid AND above.conrelid = k.conrelid
                    )
                    -- A check of a partition that is no copy has been inherited from nowhere.
                    ELSE k.contype = 'f' AND k.conparentid = 0 OR k.contype = 'c' AND k.coninhcount = 0
                END
            ),
            'indexes', (SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                'name', ic.relname,
                'partition', part.name,
                'method', am.amname,
                'unique', i.indisunique,
                'primary', i.indisprimary,
                'valid', i.indisvalid,
                'ready', i.indisready,
                'live', i.indislive,
                'immediate', i.indimmediate,
                'nulls_not_distinct', coalesce((pg_catalog.to_jsonb(i) ->> 'indnullsnotdistinct')::boolean, false),
                'predicate', pg_catalog.pg_get_expr(i.indpred, i.indrelid),
                'definition', pg_catalog.pg_get_indexdef(i.indexrelid),
                'constraint', (
                    SELECT k.conname FROM pg_catalog.pg_constraint AS k
                    WHERE k.conindid = i.indexrelid AND k.conrelid = i.indrelid AND k.contype IN ('p', 'u', 'x')
                    LIMIT 1
                ),
                'operators', CASE WHEN i.indisexclusion THEN (
                    SELECT pg_catalog.json_agg(o.oprname ORDER BY u.ord)
                    FROM pg_catalog.pg_constraint AS k
                    CROSS JOIN LATERAL pg_catalog.unnest(k.conexclop) WITH ORDINALITY AS u (oid, ord)
                    JOIN pg_catalog.pg_operator AS o ON o.oid = u.oid
                    WHERE k.conindid = i.indexrelid AND k.conrelid = i.indrelid
                ) END,
                'replica_identity', i.indisreplident,
                'referenced_by', CASE WHEN i.indisunique THEN (
                    SELECT pg_catalog.json_agg(rc.relname ORDER BY rc.relname)
                    FROM pg_catalog.pg_depend AS d
                    JOIN pg_catalog.pg_constraint AS k ON k.oid = d.objid AND k.contype = 'f'
                    JOIN pg_catalog.pg_class AS rc ON rc.oid = k.conrelid
                    WHERE d.classid = 'pg_catalog.pg_constraint'::pg_catalog.regclass
                        AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid = i.indexrelid
                ) END,
                'building', EXISTS (
                    SELECT FROM pg_catalog.pg_stat_progress_create_index AS b WHERE b.index_relid = i.indexrelid
                ),
                'attached', CASE WHEN ic.relkind = 'I' THEN (
                    SELECT coalesce(pg_catalog.json_agg(ci.indrelid::bigint), '[]')
                    FROM pg_catalog.pg_inherits AS h
                    JOIN pg_catalog.pg_index AS ci ON ci.indexrelid = h.inhrelid
                    WHERE h.inhparent = i.indexrelid AND ci.indisvalid
                ) END,
                'reads', (
                    SELECT pg_catalog.json_agg(DISTINCT a.attname)
                    FROM pg_catalog.pg_depend AS d
                    JOIN pg_catalog.pg_attribute AS a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
                    WHERE i.indexprs IS NOT NULL
                        AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = i.indexrelid
                        AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refobjid = i.indrelid
                ),
                'finds_equal', EXISTS (
                    SELECT FROM pg_catalog.pg_opclass AS oc
                    JOIN pg_catalog.pg_amop AS ao ON ao.amopfamily = oc.opcfamily
                    JOIN pg_catalog.pg_operator AS o ON o.oid = ao.amopopr AND o.oprname = '='
                    WHERE oc.oid = i.indclass[0]
                ),
                'key_parts', i.indnkeyatts,
                'parts', (
                    SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                        'column', a.attname,
                        'expression', CASE WHEN a.attname IS NULL
                            THEN pg_catalog.pg_get_indexdef(i.indexrelid, n.position, false) END,
                        -- The vectors count from 0 and, but for indkey, hold the key parts alone.
                        'descending', coalesce(i.indoption[n.position - 1] & 1 = 1, false),
                        'nulls_first', coalesce(i.indoption[n.position - 1] & 2 = 2, false),
                        'collation', i.indcollation[n.position - 1]::bigint,
                        'column_collation', a.attcollation::bigint,
                        'operator_class', (
                            SELECT oc.opcname FROM pg_catalog.pg_opclass AS oc
                            WHERE oc.oid = i.indclass[n.position - 1] AND NOT oc.opcdefault
                        ),
                        -- Neither of the server nor of an extension: the OIDs of what people make begin here.
                        'own_comparison', i.indclass[n.position - 1] >= 16384 AND EXISTS (
                            SELECT FROM pg_catalog.pg_opclass AS oc
                            WHERE oc.oid = i.indclass[n.position - 1] AND NOT oc.opcdefault
                        ) AND NOT EXISTS (
                            SELECT FROM pg_catalog.pg_depend AS d
                            WHERE d.classid = 'pg_catalog.pg_opclass'::pg_catalog.regclass
                                AND d.objid = i.indclass[n.position - 1] AND d.deptype = 'e'
                        )
                    ) ORDER BY n.position)
                    FROM pg_catalog.generate_series(1, i.indnatts::integer) AS n (position)
                    LEFT JOIN pg_catalog.pg_attribute AS a
                        ON a.attrelid = i.indrelid AND a.attnum = i.indkey[n.position - 1] AND a.attnum <> 0
                )
            ) ORDER BY part.name NULLS FIRST, ic.relname)
                FROM parts AS part
                JOIN pg_catalog.pg_index AS i ON i.indrelid = part.oid
                JOIN pg_catalog.pg_class AS ic ON ic.oid = i.indexrelid
                JOIN pg_catalog.pg_am AS am ON am.oid = ic.relam
                -- Of a partition, those that refuse rows of their own accord.
                WHERE part.root = t.oid AND (part.name IS NULL OR (i.indisunique OR i.indisexclusion) AND NOT EXISTS (
                    SELECT FROM pg_catalog.pg_inherits AS h WHERE h.inhrelid = i.indexrelid
                ))
            ),
            'triggers', (SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                'name', g.tgname,
                'partition', part.name,
                'bits', g.tgtype,
                'enabled', g.tgenabled,
                'conditional', g.tgqual IS NOT NULL,
                'definition', pg_catalog.pg_get_triggerdef(g.oid),
                'function', CASE WHEN f.pronamespace = t.relnamespace THEN f.proname::text
                    ELSE pg_catalog.format('%s.%s', n.nspname, f.proname) END,
                'body', pg_catalog.left(f.prosrc, 100000),
                'language', l.lanname,
                'definer', CASE WHEN f.prosecdef THEN pg_catalog.pg_get_userbyid(f.proowner) END,
                'settings', f.proconfig,
                -- Whatever a text names is in it, letter case aside.
                'relations', (
                    SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                        'namespace', rn.nspname,
                        'name', r.relname,
                        'refused', CASE WHEN f.prosecdef THEN (
                            SELECT pg_catalog.json_agg(p.name)
                            FROM pg_catalog.unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS p (name)
                            WHERE NOT pg_catalog.has_schema_privilege(f.proowner, rn.oid, 'USAGE')
                                OR NOT CASE WHEN p.name = 'DELETE'
                                    THEN pg_catalog.has_table_privilege(f.proowner, r.oid, p.name)
                                    ELSE pg_catalog.has_any_column_privilege(f.proowner, r.oid, p.name)
                                END
                        ) END
                    ) ORDER BY rn.nspname)
                    FROM pg_catalog.pg_class AS r
                    JOIN pg_catalog.pg_namespace AS rn ON rn.oid = r.relnamespace
                    WHERE r.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND l.lanname = 'plpgsql'
                        AND rn.nspname !~ '^pg_(temp|toast)'
                        AND pg_catalog.strpos(pg_catalog.lower(f.prosrc), pg_catalog.lower(r.relname::text)) > 0
                ),
                'routines', (
                    SELECT pg_catalog.json_agg(DISTINCT pg_catalog.jsonb_build_object(
                        'namespace', rn.nspname,
                        'name', r.proname
                    ))
                    FROM pg_catalog.pg_proc AS r
                    JOIN pg_catalog.pg_namespace AS rn ON rn.oid = r.pronamespace
                    WHERE l.lanname = 'plpgsql' AND f.prosrc ~* 'perform'
                        AND pg_catalog.strpos(pg_catalog.lower(f.prosrc), pg_catalog.lower(r.proname::text)) > 0
                )
            ) ORDER BY g.tgname, part.name NULLS FIRST)
                FROM parts AS part
                JOIN pg_catalog.pg_trigger AS g ON g.tgrelid = part.oid
                JOIN pg_catalog.pg_proc AS f ON f.oid = g.tgfoid
                JOIN pg_catalog.pg_language AS l ON l.oid = f.prolang
                JOIN pg_catalog.pg_namespace AS n ON n.oid = f.pronamespace
                -- An insert into the table fires those of a partition that are for each row and not copies.
                WHERE part.root = t.oid AND NOT g.tgisinternal AND (part.name IS NULL OR g.tgtype & 1 = 1
                    AND coalesce((pg_catalog.to_jsonb(g) ->> 'tgparentid')::bigint, 0) = 0)
            ),
            'rules', (SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                'name', w.rulename,
                'event', w.ev_type,
                'instead', w.is_instead,
                'enabled', w.ev_enabled,
                'definition', pg_catalog.pg_get_ruledef(w.oid)
            ) ORDER BY w.rulename)
                FROM pg_catalog.pg_rewrite AS w
                WHERE w.ev_class = t.oid AND w.rulename <> '_RETURN'
            ),
            'policies', (SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                'name', l.polname,
                'command', l.polcmd,
                'permissive', l.polpermissive,
                'shown', pg_catalog.pg_get_expr(l.polqual, l.polrelid),
                'taken', pg_catalog.pg_get_expr(l.polwithcheck, l.polrelid),
                'roles', (
                    SELECT pg_catalog.json_agg(coalesce(o.rolname::text, 'public') ORDER BY o.rolname)
                    FROM pg_catalog.unnest(l.polroles) AS r (oid)
                    LEFT JOIN pg_catalog.pg_roles AS o ON o.oid = r.oid
                )
            ) ORDER BY l.polname)
                FROM pg_catalog.pg_policy AS l
                WHERE l.polrelid = t.oid
            ),
            'heirs', (SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                'oid', h.oid::bigint,
                'parent', h.parent::bigint,
                'namespace', n.nspname,
                'name', h.relname,
                'persistence', h.relpersistence,
                'bound', CASE WHEN t.relkind = 'p' THEN pg_catalog.pg_get_expr(h.relpartbound, h.oid) END,
                'partition_strategy', hp.partstrat,
                'partition_key', CASE WHEN hp.partrelid IS NOT NULL THEN pg_catalog.pg_get_partkeydef(h.oid) END,
                'partition_type', pg_catalog.format_type(ha.atttypid, ha.atttypmod),
                'unique_keys', CASE WHEN t.relkind <> 'p' THEN (
                    SELECT pg_catalog.json_agg(key.columns)
                    FROM pg_catalog.pg_index AS i
                    CROSS JOIN LATERAL (
                        SELECT pg_catalog.json_agg(a.attname ORDER BY u.ord) AS columns
                        FROM pg_catalog.unnest(i.indkey) WITH ORDINALITY AS u (attnum, ord)
                        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = u.attnum
                        WHERE u.ord <= i.indnkeyatts
                    ) AS key
                    WHERE i.indrelid = h.oid AND i.indisunique AND i.indisvalid AND i.indisready AND i.indislive
                        AND i.indimmediate AND i.indpred IS NULL AND i.indexprs IS NULL
                ) END
            ) ORDER BY h.depth, h.relname)
                FROM heirs AS h
                JOIN pg_catalog.pg_namespace AS n ON n.oid = h.relnamespace
                LEFT JOIN pg_catalog.pg_partitioned_table AS hp ON hp.partrelid = h.oid
                LEFT JOIN pg_catalog.pg_attribute AS ha
                    ON ha.attrelid = h.oid AND ha.attnum = hp.partattrs[0] AND ha.attnum > 0
                WHERE h.root = t.oid
            ),
            'partition_not_nulls', CASE WHEN t.relkind = 'p' THEN (
                SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                    'partition', h.relname,
                    'rows', pg_catalog.left(pg_catalog.pg_get_partition_constraintdef(h.oid), 10000),
                    'column', a.attname
                ) ORDER BY h.relname, a.attname)
                FROM heirs AS h
                JOIN pg_catalog.pg_attribute AS a
                    ON a.attrelid = h.oid AND a.attnum > 0 AND a.attnotnull AND NOT a.attisdropped
                -- Partitions can have their columns in another order.
                JOIN pg_catalog.pg_attribute AS above
                    ON above.attrelid = h.parent AND above.attname = a.attname AND NOT above.attnotnull
                WHERE h.root = t.oid
            ) END,
            'ancestors', CASE WHEN t.relispartition THEN (
                WITH RECURSIVE up (oid, parent, depth) AS (
                    SELECT h.inhrelid, h.inhparent, 1
                    FROM pg_catalog.pg_inherits AS h
                    WHERE h.inhrelid = t.oid
                    UNION ALL
                    SELECT h.inhrelid, h.inhparent, up.depth + 1
                    FROM up
                    JOIN pg_catalog.pg_inherits AS h ON h.inhrelid = up.parent
                    WHERE up.depth < 16
                )
                SELECT pg_catalog.json_agg(pg_catalog.json_build_object(
                    'name', c.relname,
                    'bound', pg_catalog.pg_get_expr(c.relpartbound, c.oid),
                    'condition', CASE WHEN pg_catalog.pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT'
                        THEN pg_catalog.left(pg_catalog.pg_get_partition_constraintdef(c.oid), 10000) END,
                    'parent', CASE WHEN above.relnamespace = t.relnamespace THEN above.relname::text
                        ELSE pg_catalog.format('%s.%s', n.nspname, above.relname) END,
                    'partition_strategy', ap.partstrat,
                    'partition_key', pg_catalog.pg_get_partkeydef(above.oid),
                    'partition_type', pg_catalog.format_type(a.atttypid, a.atttypmod)
                ) ORDER BY up.depth)
                FROM up
                JOIN pg_catalog.pg_class AS c ON c.oid = up.oid
                JOIN pg_catalog.pg_class AS above ON above.oid = up.parent
                JOIN pg_catalog.pg_namespace AS n ON n.oid = above.relnamespace
                JOIN pg_catalog.pg_partitioned_table AS ap ON ap.partrelid = above.oid
                LEFT JOIN pg_catalog.pg_attribute AS a
                    ON a.attrelid = above.oid AND a.attnum = ap.partattrs[0] AND a.attnum > 0
            ) END,
            'partition_type', (
                SELECT pg_catalog.format_type(a.atttypid, a.atttypmod)
                FROM pg_catalog.pg_attribute AS a
                WHERE a.attrelid = t.oid AND a.attnum = p.partattrs[0] AND a.attnum > 0
            )
        )
            FROM wanted AS t
            LEFT JOIN pg_catalog.pg_partitioned_table AS p ON p.partrelid = t.oid
            WHERE t.ord = question.ord
        ),
        'namesakes', (
            SELECT pg_catalog.json_agg(s.kind ORDER BY s.kind)
            FROM (
                SELECT c.relkind::text AS kind
                FROM pg_catalog.pg_class AS c
                JOIN space ON space.oid = c.relnamespace
                WHERE c.relname = question.stored AND c.relkind NOT IN ('r', 'p', 'v', 'm', 'f')
                UNION ALL
                SELECT 'type ' || ty.typtype::text
                FROM pg_catalog.pg_type AS ty
                JOIN space ON space.oid = ty.typnamespace
                WHERE ty.typname = question.stored AND ty.typrelid = 0 AND ty.typtype IN ('d', 'e', 'r')
            ) AS s
        ),
        'elsewhere', (
            SELECT pg_catalog.json_agg(
                pg_catalog.json_build_object('namespace', spaces.nspname, 'kind', c.relkind) ORDER BY spaces.nspname
            )
            FROM pg_catalog.pg_class AS c
            JOIN spaces ON spaces.oid = c.relnamespace
            WHERE c.relname = question.stored AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND spaces.nspname <> $2
                -- A part of the table is no other one.
                AND c.oid NOT IN (SELECT heirs.oid FROM heirs)
        ),
        'near', (
            SELECT pg_catalog.json_agg(pg_catalog.json_build_object('name', s.relname, 'kind', s.relkind))
            FROM (
                SELECT near.relname, near.relkind
                FROM near
                WHERE near.ord = question.ord
                ORDER BY pg_catalog.length(near.relname::text), near.relname
                LIMIT 50
            ) AS s
        ),
        'index_elsewhere', (
            SELECT pg_catalog.json_agg(pg_catalog.json_build_array(astray.name, astray.on_table) ORDER BY astray.name)
            FROM astray
            WHERE astray.ord = question.ord
        ),
        'resolves_to', (
            SELECT pg_catalog.json_build_object('namespace', n.nspname, 'kind', c.relkind)
            FROM pg_catalog.json_array_elements_text($1::json -> 'path') WITH ORDINALITY AS path (name, ord)
            JOIN pg_catalog.pg_namespace AS n ON n.nspname = path.name::name
            JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relname = question.stored
            WHERE n.nspname !~ '^pg_(temp|toast)' AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
            ORDER BY path.ord
            LIMIT 1
        )
    ) ORDER BY question.ord), '[]') FROM question),
    'collations', (SELECT coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
        'oid', co.oid::bigint,
        'name', co.collname,
        'deterministic', co.collisdeterministic,
        'locale', coalesce(
            pg_catalog.to_jsonb(co) ->> 'colllocale',
            pg_catalog.to_jsonb(co) ->> 'colliculocale',
            pg_catalog.to_jsonb(co) ->> 'collcollate'
        ),
        'rules', pg_catalog.to_jsonb(co) ->> 'collicurules'
    )), '[]')
        FROM pg_catalog.pg_collation AS co
        WHERE co.oid IN (
            SELECT a.attcollation FROM pg_catalog.pg_attribute AS a
            JOIN wanted ON wanted.oid = a.attrelid
            WHERE a.attnum > 0
            UNION
            SELECT c.oid FROM wanted
            JOIN pg_catalog.pg_index AS i ON i.indrelid = wanted.oid
            CROSS JOIN LATERAL pg_catalog.unnest(i.indcollation) AS c (oid)
        )
    )
)::text
