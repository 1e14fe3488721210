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

runs=${1:-25}
broken=0
table=ProcessedIntegrationEvents
spec=$work/ledger
mkdir "$spec"

# Prints a figure with its bound: `figure WHAT VALUE BOUND UNIT`. The first is compared with the second as numbers.
figure() {
  local verdict=ok
  awk "BEGIN { exit !($2 <= $3) }" || { verdict=BROKEN; broken=1; }
  printf '%-62s %10s %-4s (at most %s) %s\n' "$1" "$2" "$4" "$3" "$verdict"
}

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# Runs a command and prints its wall time in microseconds.
microseconds() {
  local start=$EPOCHREALTIME
  "$@" >/dev/null 2>&1 || { say "failed: $*"; return 1; }
  echo $((${EPOCHREALTIME/[.,]/} - ${start/[.,]/}))
}

# Checks a database: `check URL SPEC`.
check() { DATABASE_URL=$1 "$seadrift" check --spec "$2" --fail-on never; }

# Checks a database and prints the peak memory in MB and the wall time in seconds.
peak() {
  DATABASE_URL=$1 command time -f '%M %e' -o "$work/time" "$seadrift" check --spec "$2" --fail-on never >/dev/null
  awk '{ printf "%.1f %.2f\n", $1 / 1024, $2 }' "$work/time"
}

# Writes a table's part of a spec: `wanted_table NAME`.
wanted_table() {
  cat <<EOF
  $1:
    role: ledger
    columns:
      Id:             { type: uuid }
      EventId:        { type: uuid }
      EventType:      { type: varchar(160) }
      TenantId:       { type: integer, nullable: true }
      CorrelationId:  { type: varchar(160), nullable: true }
      SourceService:  { type: varchar(120) }
      Outcome:        { type: varchar(40), default: { value: Processed } }
      ProcessedOnUtc: { type: timestamptz }
    primary_key: [Id]
    indexes:
      UX_$1: { columns: [EventId], unique: true }
      IX_$1: { columns: [CorrelationId] }
    ledger: { event_id: EventId, recorded_at: ProcessedOnUtc, staleness_window: 168h, clock_skew: 5m, future_dating: 5m }
EOF
}

# Writes the SQL of a table: `create_table NAME QUOTE UUID TIME`.
create_table() {
  local q=$2
  cat <<EOF
CREATE TABLE $q$1$q (${q}Id$q $3 NOT NULL, ${q}EventId$q $3 NOT NULL, ${q}EventType$q varchar(160) NOT NULL, ${q}TenantId$q integer,
  ${q}CorrelationId$q varchar(160), ${q}SourceService$q varchar(120) NOT NULL, ${q}Outcome$q varchar(40) NOT NULL DEFAULT 'Processed',
  ${q}ProcessedOnUtc$q $4 NOT NULL, CONSTRAINT ${q}PK_$1$q PRIMARY KEY (${q}Id$q));
CREATE UNIQUE INDEX ${q}UX_$1$q ON $q$1$q (${q}EventId$q);
CREATE INDEX ${q}IX_$1$q ON $q$1$q (${q}CorrelationId$q);
EOF
}

# The names of the wide measurements' 500 tables.
names() { seq -f 'Ledger%03g' 500; }

write_specs() {
  { printf 'version: 1\nservice: ledger\ntables:\n'; wanted_table $table; } >"$spec/ledger.yaml"
  { printf 'version: 1\nservice: wide\ntables:\n'; for name in $(names); do wanted_table "$name"; done; } >"$work/wide.yaml"
}

sql() { "$psql" -X -q -v ON_ERROR_STOP=1 -h "$work/postgres" -p "$postgres_port" -U postgres "$@"; }

# Sets `question`: psql's script of the catalog query, with the values that seadrift sent. Its statements are in the server's log.
take_statements() {
  local database=$1 first second
  : >"$work/postgres.log"
  check "${postgres_url%/*}/$database" "$spec" >/dev/null
  statements=$(grep -cE 'seadrift/[^ ]* LOG:  (statement|execute)' "$work/postgres.log")
  # DETAIL:  parameters: $1 = '…', $2 = '…': literals, ready for SQL.
  first=$(sed -n "s/.*DETAIL:  parameters: \$1 = \('{.*'\), \$2 = '.*'\$/\1/p" "$work/postgres.log")
  second=$(sed -n "s/.*DETAIL:  parameters: \$1 = '{.*', \$2 = \('.*'\)\$/\1/p" "$work/postgres.log")
  question=$work/question.sql
  awk -v first="$first" -v second="$second" '
    function put(line, mark, text,   at) {
      while ((at = index(line, mark)) > 0) line = substr(line, 1, at - 1) text substr(line, at + 2)
      return line
    }
    !/^ *--/ { print put(put($0, "$1", first), "$2", second) } END { print ";" }
  ' src/catalog/postgres/queries/catalog.sql >"$question"
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

ms() { awk "BEGIN { printf \"%.1f\", $1 / 1000 }"; }

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

install_servers
for tool in time sqlite3; do command -v "$tool" >/dev/null && [ -n "$(type -P "$tool")" ] || install_packages "$tool"; done
pg_bin=$(find_postgres)
psql=$pg_bin/psql
seadrift=${SEADRIFT_BIN:-}
if [ -z "$seadrift" ]; then
  cargo build --release --locked --bin seadrift
  seadrift=${CARGO_TARGET_DIR:-target}/release/seadrift
fi
printf 'machine: %s, %s cores; %s\n' "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)" "$(nproc)" "$("$pg_bin/postgres" --version)"
write_specs
measure_program
init_postgres "$pg_bin" "$work/postgres"
measure_postgres
measure_mariadb
measure_sqlite
exit $broken
