//! What the server prints of what people write.

use seadrift::dialect::Dialect;
use seadrift::schema::NativeType;
use seadrift::spec::DesiredType;

use crate::lab::{ask, table, with_lab};

/// Defaults as people write them, with the type of the column.
const DEFAULTS: &[(&str, &str)] = &[
    ("varchar(40)", "'Processed'"),
    ("varchar(40)", "E'it\\'s \\\\ \"x\"'"),
    ("varchar(96)", "'Evt-' || gen_random_uuid()"),
    ("varchar(5)", "NULL"),
    ("integer", "-1"),
    ("bigint", "1e3"),
    ("numeric(18,2)", "0.50"),
    ("integer", "next_tenant()"),
    ("boolean", "'f'"),
    ("timestamptz", "CURRENT_TIMESTAMP(6)"),
    ("timestamptz", "current_timestamp(3)"),
    ("timestamptz", "(now() at time zone 'UTC')"),
    ("timestamptz", "timezone('utc', now())"),
    ("timestamptz", "now() - interval '7 days'"),
    ("timestamptz", "'-infinity'"),
    ("timestamptz", "'2026-01-01 02:00:00+02'"),
    ("timestamp", "localtimestamp"),
    ("date", "CURRENT_DATE"),
    ("jsonb", "'{ \"b\": 1, \"a\": []}'"),
    ("uuid", "'AAAAAAAA-0000-4000-8000-000000000001'"),
    ("bytea", "'\\x6A'"),
    ("text[]", "ARRAY['a', 'b']"),
    ("text", "CASE WHEN 1 > 0 THEN 'a' ELSE 'b' END"),
    ("text", "coalesce(nullif('a', 'b'), current_user)"),
];

/// Functions that the defaults call; PostgreSQL 12 has no gen_random_uuid() of its own.
const FUNCTIONS: &str = "
    CREATE FUNCTION next_tenant() RETURNS integer LANGUAGE sql AS 'SELECT 1';
    DO $$ BEGIN
        IF current_setting('server_version_num')::integer < 130000 THEN
            CREATE FUNCTION gen_random_uuid() RETURNS uuid LANGUAGE sql AS 'SELECT NULL::uuid';
        END IF;
    END $$;
";

/// Predicates and checks as people write them.
const PREDICATES: &[&str] = &[
    "v IN ('a', 'b', 'it''s')",
    "v NOT IN ('a', 'b')",
    "v in ('a')",
    "c IN ('a', 'b')",
    "v <> 'a' AND (n > 0 AND t IS NOT NULL)",
    "n BETWEEN 1 AND 5 OR n NOT BETWEEN 100 AND 200",
    "v LIKE 'a%' OR t NOT ILIKE '%b'",
    "NOT (n = 1 OR b)",
    "char_length(v) <= 160",
    "octet_length(t) < 10",
    "left(v, 3) = 'abc' AND substring(t from 2 for 3) = 'x'",
    "n IS NOT DISTINCT FROM 3",
    "z > '2026-01-01 00:00:00+00' AND z AT TIME ZONE 'UTC' < timestamp '2027-01-01 00:00:00'",
    "trim(t) <> '' AND lower(v) = v",
    "v || '-' || t <> 'x' AND n + 1 - 2 * 3 > -4",
    "u = '00000000-0000-0000-0000-000000000000'",
    "t ~ '^[a-z]+$' AND v !~* 'x'",
    "n = ANY (ARRAY[1, 2, 3])",
    "(n > 0) IS TRUE",
    "COALESCE(n, 0) > 0",
    "\"Order\" > 0 AND N > 0",
    "b AND NOT b",
    "n % 2 = 0",
    "extract(YEAR FROM z AT TIME ZONE 'UTC') > 2000",
];

#[tokio::test]
async fn defaults_equal_what_the_server_prints_of_them() {
    with_lab("defaults", async |lab| {
        let facts = Dialect::Postgres.facts();
        lab.setup(FUNCTIONS).await;
        let mut wrong = Vec::new();
        for (ty, written) in DEFAULTS {
            lab.setup(&format!(
                "DROP TABLE IF EXISTS t; CREATE TABLE t (a {ty} DEFAULT {written})"
            ))
            .await;
            let catalog = lab.fetch(&ask(&["t"])).await.unwrap();
            let column = &table(&catalog.sightings[0]).columns[0];
            let normal = facts.default_expr(written, &column.ty);
            if normal != column.default {
                wrong.push((written, normal, column.default_text.clone(), column.default.clone()));
            }
        }
        assert_eq!(wrong, []);
        lab
    })
    .await;
}

#[tokio::test]
async fn predicates_equal_what_the_server_prints_of_them() {
    with_lab("predicates", async |lab| {
        let facts = Dialect::Postgres.facts();
        lab.setup("CREATE EXTENSION citext").await;
        let mut wrong = Vec::new();
        for written in PREDICATES {
            lab.setup(&format!(
                "DROP TABLE IF EXISTS t; CREATE TABLE t (v varchar(40), t text, c citext, n integer, b boolean, \
                 z timestamptz, u uuid, \"Order\" integer, CONSTRAINT k CHECK ({written}));
                 CREATE INDEX i ON t (n) WHERE {written}"
            ))
            .await;
            let catalog = lab.fetch(&ask(&["t"])).await.unwrap();
            let table = table(&catalog.sightings[0]);
            let predicate = table.indexes[0].predicate.clone().unwrap();
            for printed in [&table.checks[0].sql, &predicate] {
                let (a, b) = (facts.expression(printed), facts.expression(written));
                if a != b {
                    wrong.push((printed.clone(), a, b));
                }
            }
        }
        assert_eq!(wrong, []);
        lab
    })
    .await;
}

#[tokio::test]
async fn every_type_of_a_migration_reads_back_as_made() {
    with_lab("types", async |lab| {
        let facts = Dialect::Postgres.facts();
        for desired in [
            "uuid",
            "varchar(160)",
            "varchar",
            "text",
            "char(3)",
            "smallint",
            "integer",
            "bigint",
            "boolean",
            "timestamptz",
            "timestamp(3)",
            "date",
            "time",
            "numeric(18,2)",
            "numeric",
            "real",
            "double",
            "bytea",
            "json",
            "jsonb",
            "interval",
            "bit(4)",
        ] {
            let desired = DesiredType {
                data: desired.parse().unwrap(),
                pinned: false,
            };
            let made = facts.native_type(&desired);
            lab.setup(&format!("DROP TABLE IF EXISTS t; CREATE TABLE t (a {})", made.spelling))
                .await;
            let catalog = lab.fetch(&ask(&["t"])).await.unwrap();
            let column = &table(&catalog.sightings[0]).columns[0];
            assert_eq!(column.ty, NativeType { ..made });
            assert_eq!(
                column.collation,
                facts.usual_collation(&desired),
                "{}",
                column.ty.spelling
            );
            assert_eq!(facts.fit(&desired, column), []);
        }
        lab
    })
    .await;
}
