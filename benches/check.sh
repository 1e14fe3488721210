#!/usr/bin/env bash
# Measures what one `seadrift check` costs, beside psql running the same catalog query, and holds it against bounds.
#
#   benches/check.sh [RUNS]
#
# Starts private servers as tests/run does. Every figure has its bound beside it; the exit code is 1 if one is broken.
# RUNS (default 25) is the number of runs that a median is taken of. Set SEADRIFT_BIN to measure a binary that is built already.
set -euo pipefail
cd "$(dirname "$0")/.."
program=benches/check.sh
. tests/servers.sh
. benches/figures.sh

runs=${1:-25}
spec=$work/ledger
mkdir "$spec"

# Checks a database and prints the peak memory in MB and the wall time in seconds.
peak() {
  DATABASE_URL=$1 command time -f '%M %e' -o "$work/time" "$seadrift" check --spec "$2" --fail-on never >/dev/null
  awk '{ printf "%.1f %.2f\n", $1 / 1024, $2 }' "$work/time"
}

# The names of the wide measurements' 500 tables.
names() { seq -f 'Ledger%03g' 500; }

write_specs() {
  { printf 'version: 1\nservice: ledger\ntables:\n'; wanted_table $table; } >"$spec/ledger.yaml"
  { printf 'version: 1\nservice: wide\ntables:\n'; for name in $(names); do wanted_table "$name"; done; } >"$work/wide.yaml"
}

# Compares the wall time of a check and of psql: runs of both alternate, so that both meet the same machine.
compare_with_psql() {
  local database=$1 label=$2 i ours theirs
  : >"$work/ours"; : >"$work/theirs"
  for ((i = 0; i < runs; i++)); do
    microseconds check "${postgres_url%/*}/$database" "$spec" >>"$work/ours"
    # The settings that the check makes, so that psql does not pay for just-in-time compilation.
    PGOPTIONS='-c jit=off -c search_path=pg_catalog' microseconds sql -A -t -d "$database" -f "$question" >>"$work/theirs"
  done
  ours=$(median <"$work/ours") theirs=$(median <"$work/theirs")
  printf '%-62s %10s ms, psql %s ms\n' "one check, $label" "$(ms "$ours")" "$(ms "$theirs")"
  figure "  as a multiple of psql's time" "$(awk "BEGIN { printf \"%.2f\", $ours / $theirs }")" 1.5 ""
}

measure_program() {
  local size i
  cp "$seadrift" "$work/stripped"
  strip "$work/stripped"
  size=$(stat -c %s "$work/stripped")
  figure "size of the stripped binary" "$(awk "BEGIN { printf \"%.1f\", $size / 1000000 }")" 25 MB
  for ((i = 0; i < runs; i++)); do microseconds "$seadrift" --help; done >"$work/help"
  figure "seadrift --help" "$(ms "$(median <"$work/help")")" 20 ms
}

measure_postgres() {
  local tables made=0 memory
  start_postgres "$pg_bin" "$work/postgres" -c log_statement=all -c log_line_prefix='%a ' -c max_locks_per_transaction=2000
  sql -c 'CREATE DATABASE ledger' postgres
  create_table $table '"' uuid timestamptz | sql ledger
  for tables in 10 1000 10000; do
    sql -c "DO \$\$ BEGIN FOR i IN $((made + 1))..$tables LOOP
      EXECUTE format('CREATE TABLE t%s (id integer PRIMARY KEY, a text, b text)', i); END LOOP; END \$\$" ledger
    sql -c 'VACUUM ANALYZE' ledger
    made=$tables
    take_statements ledger
    figure "statements of one check, $tables unrelated tables" "$statements" 4 ""
    compare_with_psql ledger "$tables unrelated tables"
    read -r memory _ < <(peak "${postgres_url%/*}/ledger" "$spec")
    figure "  peak memory" "$memory" 40 MB
  done
  sql -c 'CREATE DATABASE wide' postgres
  for name in $(names); do create_table "$name" '"' uuid timestamptz; done | sql wide
  measure_wide PostgreSQL "${postgres_url%/*}/wide"
}

measure_mariadb() {
  start_mariadb "$work/mariadb"
  { echo 'CREATE DATABASE wide CHARACTER SET utf8mb4; USE wide;'
    for name in $(names); do create_table "$name" '`' 'char(36) CHARACTER SET ascii' 'datetime(6)'; done
  } | mariadb --no-defaults -S "$mariadb_socket" -uroot
  measure_wide MariaDB "${mariadb_url%/*}/wide"
}

measure_sqlite() {
  { echo 'BEGIN;'; for name in $(names); do create_table "$name" '"' text text; done; echo 'COMMIT;'; } | sqlite3 "$work/wide.db"
  measure_wide SQLite "sqlite:$work/wide.db"
}

# Measures a spec of 500 tables against 500 tables.
measure_wide() {
  local i memory seconds
  for ((i = 0; i < 5; i++)); do peak "$2" "$work/wide.yaml"; done >"$work/wide"
  memory=$(cut -d' ' -f1 "$work/wide" | sort -n | tail -1)
  seconds=$(cut -d' ' -f2 "$work/wide" | median)
  figure "500 tables on $1" "$seconds" 3 s
  figure "  peak memory" "$memory" 200 MB
}

prepare
write_specs
measure_program
init_postgres "$pg_bin" "$work/postgres"
measure_postgres
measure_mariadb
measure_sqlite
exit $broken
