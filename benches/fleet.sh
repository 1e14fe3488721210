#!/usr/bin/env bash
# Measures one `seadrift check` over many databases of one server, beside as many clients that send one catalog query each, and
# holds it against bounds.
#
#   benches/fleet.sh [ROUNDS]
#
# Starts private servers as tests/run does. Every figure has its bound beside it; the exit code is 1 if one is broken.
# ROUNDS (default 3) is the number of runs that a median is taken of. POSTGRES (default 1000) and MARIADB (default 200) are the
# numbers of databases, JOBS (default 8) how many are looked at at once. Set SEADRIFT_BIN to measure a binary that is built already.
# A thousand databases of PostgreSQL take 8 GB of disk.
set -euo pipefail
cd "$(dirname "$0")/.."
program=benches/fleet.sh
. tests/servers.sh
. benches/figures.sh

rounds=${1:-3}
postgres_count=${POSTGRES:-1000}
mariadb_count=${MARIADB:-200}
jobs=${JOBS:-8}
spec=$work/ledger
mkdir "$spec"

# Prints the names of so many databases.
tenants() { seq -f 'tenant_%04.0f' "$1"; }

# Writes a configuration of every tenant of a server: `configure ENGINE PORT USER DATABASE`.
configure() {
  cat >"$work/$1.yaml" <<EOT
version: 1
specs: $spec
targets:
  "prod/{database}":
    service: ledger
    engine: $1
    host: 127.0.0.1
    port: $2
    user: $3
    database: $4
    databases: "tenant_*"
EOT
}

# Checks a fleet: `check_fleet ENGINE [arguments]`.
check_fleet() {
  local engine=$1; shift
  "$seadrift" check --config "$work/$engine.yaml" --jobs "$jobs" --jobs-per-server "$jobs" --quiet "$@"
}

# One client per database, as many at once, each with one catalog query.
ask_postgres() {
  tenants "$postgres_count" | PGOPTIONS='-c jit=off -c search_path=pg_catalog' xargs -P "$jobs" -I{} \
    "$psql" -X -q -A -t -h 127.0.0.1 -p "$postgres_port" -U postgres -d {} -f "$question"
}
ask_mariadb() {
  tenants "$mariadb_count" | xargs -P "$jobs" -I{} \
    mariadb --no-defaults -h 127.0.0.1 -P "$mariadb_port" -uroot {} -e "source $work/question-mariadb.sql"
}

# Prints the greatest number of a file of samples.
most() { grep -E '^[0-9]+$' "$1" | sort -n | tail -1; }

# Runs ours and theirs in turns, and holds what ours costs against the bounds: `compare ENGINE COUNT`.
compare() {
  local engine=$1 count=$2 i ours theirs memory
  : >"$work/ours"; : >"$work/theirs"; : >"$work/memory"
  for ((i = 0; i < rounds; i++)); do
    microseconds "ask_$engine" >>"$work/theirs"
    microseconds time_fleet "$engine" >>"$work/ours"
    awk '{ printf "%.1f\n", $1 / 1024 }' "$work/time" >>"$work/memory"
  done
  ours=$(median <"$work/ours") theirs=$(median <"$work/theirs") memory=$(sort -n "$work/memory" | tail -1)
  printf '%-62s %10s s, clients %s s\n' "$count databases on $engine, $jobs at once" "$(seconds "$ours")" "$(seconds "$theirs")"
  figure "  as a multiple of the clients' time" "$(awk "BEGIN { printf \"%.2f\", $ours / $theirs }")" 1.2 ""
  figure "  peak memory" "$memory" 150 MB
}

time_fleet() {
  command time -f '%M' -o "$work/time" "$seadrift" check --config "$work/$1.yaml" --jobs "$jobs" --jobs-per-server "$jobs" \
    --quiet --report json="$work/$1.json"
}

seconds() { awk "BEGIN { printf \"%.2f\", $1 / 1000000 }"; }

# Makes sure that every database was checked: a fast answer about nothing is none.
assert_whole() {
  local checked
  checked=$(grep -c '"status": "checked"' "$work/$1.json") || true
  [ "$checked" -ge "$2" ] || { say "only $checked of $2 databases on $1 were checked"; exit 1; }
}

measure_postgres() {
  start_postgres "$pg_bin" "$work/postgres" -c log_line_prefix='%a ' -c autovacuum=off -c max_wal_size=8GB
  sql -c 'CREATE DATABASE ledger' postgres
  create_table $table '"' uuid timestamptz | sql ledger
  sql -c 'VACUUM ANALYZE' ledger
  sql -c 'ALTER SYSTEM SET log_statement = all' -c 'SELECT pg_reload_conf()' postgres >/dev/null; sleep 0.5
  take_statements ledger
  sql -c 'ALTER SYSTEM RESET log_statement' -c 'SELECT pg_reload_conf()' postgres >/dev/null
  tenants "$postgres_count" | sed 's/.*/CREATE DATABASE & TEMPLATE ledger STRATEGY FILE_COPY;/' | sql postgres
  configure postgres "$postgres_port" postgres postgres
  compare postgres "$postgres_count"
  assert_whole postgres "$postgres_count"
  # Watched in a run of its own, which is not timed.
  { echo "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'seadrift/%' \\watch 0.01" | sql -A -t postgres >"$work/sessions"; } &
  local watcher=$!
  check_fleet postgres >/dev/null
  kill $watcher; pkill -P $watcher 2>/dev/null || true; wait $watcher 2>/dev/null || true
  figure "  connections at once, by pg_stat_activity" "$(most "$work/sessions")" "$jobs" ""
}

measure_mariadb() {
  start_mariadb "$work/mariadb" --max-connections=200
  mariadb_port=$(sed -E 's/.*:([0-9]+)\/.*/\1/' <<<"$mariadb_url")
  local client=(mariadb --no-defaults -S "$mariadb_socket" -uroot)
  local name
  for name in $(tenants "$mariadb_count"); do
    echo "CREATE DATABASE $name CHARACTER SET utf8mb4; USE $name;"
    create_table $table '`' 'char(36) CHARACTER SET ascii' 'datetime(6)'
  done | "${client[@]}"
  cat >"$work/question-mariadb.sql" <<EOT
SELECT * FROM information_schema.columns WHERE table_schema = database();
SELECT * FROM information_schema.statistics WHERE table_schema = database();
EOT
  configure mariadb "$mariadb_port" root mysql
  compare mariadb "$mariadb_count"
  assert_whole mariadb "$mariadb_count"
  check_fleet mariadb >/dev/null & local check=$!
  while kill -0 $check 2>/dev/null; do
    "${client[@]}" -N -e "SELECT count(*) FROM information_schema.processlist WHERE db LIKE 'tenant\\_%'"
  done >"$work/sessions"
  figure "  connections at once, by the processlist" "$(most "$work/sessions")" "$jobs" ""
}

prepare
{ printf 'version: 1\nservice: ledger\ntables:\n'; wanted_table $table; } >"$spec/ledger.yaml"
init_postgres "$pg_bin" "$work/postgres"
measure_postgres
stop_servers
measure_mariadb
# What is right of the rows, for 1,000 and 10,000 targets: the ratios are printed and held against their bounds.
cargo test --locked --lib -- --ignored --nocapture time_and_memory_grow_as_ten_thousand_targets_do 2>&1 | grep ' targets: ' || broken=1
exit $broken
