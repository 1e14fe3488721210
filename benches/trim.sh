#!/usr/bin/env bash
# Measures `seadrift retention trim` against a batched DELETE written by hand, on a private PostgreSQL server.
#
#   benches/trim.sh [PROGRAM]          PROGRAM is target/release/seadrift if nothing else is said
#
#   ROWS=1000000  old rows that are removed      YOUNG=100000  young rows that stay
#   BATCH=5000    rows of one batch              ROUNDS=3      how often each is measured, in turns
#   BIG=5000000   old rows of the last run, which is for its memory; 0 leaves it out
#   SECONDS_=10   how long inserts are measured with and without a run beside them
#
# Prints rows per second of both and their ratio (medians, the whole process with its check of the ledger), what a run with
# nothing to remove takes, the program's peak memory (VmHWM) with ROWS and with BIG rows, and the 99th percentile of single
# inserts alone and beside a run at the default pace. The loop by hand is a procedure inside the server: no round trips, rows
# by ctid through the index, a COMMIT after each batch, the same boundary kept from batch to batch.
#
# The exit code is 1 if a bound is broken: a ratio of rows below 0.9, one of inserts above 1.5, memory above 40 MB, or
# memory that grows with the rows by more than 4 MB. Only a release binary is worth measuring.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-target/release/seadrift}")
ROWS=${ROWS:-1000000} YOUNG=${YOUNG:-100000} BATCH=${BATCH:-5000} ROUNDS=${ROUNDS:-3} BIG=${BIG:-5000000} SECONDS_=${SECONDS_:-10}
bin=${PG_BIN:-$(ls -d /usr/lib/postgresql/*/bin | sort -t/ -k5 -rn | head -1)}
work=$(mktemp -d "${TMPDIR:-/tmp}/seadrift-bench.XXXXXX"); chmod 755 "$work"
port=$((20000 + RANDOM % 12000)) server=
stop() { [ -z "$server" ] || { kill -INT "$server"; wait "$server" || true; } 2>/dev/null; rm -rf "$work"; }
trap stop EXIT
trap 'exit 130' INT TERM

# Runs a command as the server's own user when we are root.
as_user() { if [ "$(id -u)" = 0 ]; then exec setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; else exec "$@"; fi; }
mkdir "$work/pg"; [ "$(id -u)" != 0 ] || chown postgres:postgres "$work/pg"
(cd "$work/pg" && as_user env LC_ALL=C.UTF-8 "$bin/initdb" -D "$work/pg/data" -U postgres -A trust -E UTF8 -N) >/dev/null
(cd "$work/pg" && as_user "$bin/postgres" -D "$work/pg/data" -c listen_addresses=127.0.0.1 -c port=$port \
  -c unix_socket_directories="$work/pg" -c shared_buffers=512MB -c max_wal_size=8GB -c autovacuum=off) >"$work/log" 2>&1 &
server=$!
export PGHOST=127.0.0.1 PGPORT=$port PGUSER=postgres PGDATABASE=postgres PGOPTIONS='-c client_min_messages=warning'
for _ in $(seq 100); do "$bin/pg_isready" -q && break; sleep 0.1; done
sql() { "$bin/psql" -qAtX -v ON_ERROR_STOP=1 "$@"; }
export DATABASE_URL="postgres://postgres@127.0.0.1:$port/postgres"

"$program" migrate up --service notification >/dev/null
sql <<SQL
CREATE INDEX ix_age ON "ProcessedIntegrationEvents" ("ProcessedOnUtc");
CREATE PROCEDURE by_hand(batch int) LANGUAGE plpgsql AS \$\$
DECLARE low timestamptz := 'epoch'; top timestamptz; cutoff timestamptz := now() - interval '14 days'; n bigint;
BEGIN
  SET plan_cache_mode = force_custom_plan;
  LOOP
    WITH gone AS (DELETE FROM "ProcessedIntegrationEvents" WHERE ctid = ANY (ARRAY(SELECT ctid FROM "ProcessedIntegrationEvents"
      WHERE "ProcessedOnUtc" >= low AND "ProcessedOnUtc" < cutoff ORDER BY "ProcessedOnUtc" LIMIT batch)) RETURNING "ProcessedOnUtc" AS t)
    SELECT count(*), max(t) INTO n, top FROM gone;
    COMMIT;
    EXIT WHEN n < batch;
    low := top;
  END LOOP;
END \$\$;
SQL

# The same table each time: so many old rows, and the young ones, in the order in which they were recorded.
fill() {
  local rows=$1
  sql <<SQL
TRUNCATE "ProcessedIntegrationEvents";
INSERT INTO "ProcessedIntegrationEvents" SELECT gen_random_uuid(), gen_random_uuid(), 'invoice.issued', 't', NULL, 'billing', 'Processed', 1,
  CASE WHEN n <= $rows THEN now() - interval '30 days' + n * interval '1 day' * 15.9 / $rows
       ELSE now() - interval '13 days' + (n - $rows) * interval '1 day' * 13 / $YOUNG END
  FROM generate_series(1, $rows + $YOUNG) AS n;
VACUUM ANALYZE "ProcessedIntegrationEvents";
CHECKPOINT;
SQL
}

now() { date +%s.%N; }
rate() { awk -v rows="$ROWS" -v from="$1" -v to="$(now)" 'BEGIN { printf "%.0f\n", rows / (to - from) }'; }
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
trim() { "$program" retention trim --spec specs/notification.yaml -q "$@"; }
assert_trimmed() { [ "$(sql -c 'SELECT count(*) FROM "ProcessedIntegrationEvents"')" = "$YOUNG" ] || { echo "rows are left" >&2; exit 1; }; }

# A run without pauses; keeps its peak memory in a file.
watched() {
  "$program" retention trim --spec specs/notification.yaml -q --batch "$BATCH" --pause 0ms >/dev/null & local pid=$!
  while kill -0 "$pid" 2>/dev/null; do grep VmHWM "/proc/$pid/status" 2>/dev/null >>"$work/$1" || true; sleep 0.02; done
  wait "$pid"
}
peak() { awk '{ if ($2 > most) most = $2 } END { print most + 0 }' "$work/$1"; }

for _ in $(seq "$ROUNDS"); do
  fill "$ROWS"; from=$(now); sql -c "CALL by_hand($BATCH)"; rate "$from" >>"$work/by_hand"; assert_trimmed
  fill "$ROWS"; from=$(now); watched memory; rate "$from" >>"$work/program"; assert_trimmed
  from=$(now); trim >/dev/null; awk -v from="$from" -v to="$(now)" 'BEGIN { printf "%.0f\n", (to - from) * 1000 }' >>"$work/idle"
done
by_hand=$(median <"$work/by_hand") with_program=$(median <"$work/program") memory=$(peak memory)
speed=$(awk -v a="$with_program" -v b="$by_hand" 'BEGIN { printf "%.2f", a / b }')
echo "rows/s by hand: $by_hand   seadrift: $with_program   ratio: $speed   (nothing to remove: $(median <"$work/idle") ms)"
echo "peak memory: $memory kB with $ROWS rows"
big=$memory
if [ "$BIG" -gt 0 ]; then
  fill "$BIG"; from=$(now); watched big; took=$(awk -v from="$from" -v to="$(now)" 'BEGIN { printf "%.1f", to - from }'); assert_trimmed
  big=$(peak big)
  echo "peak memory: $big kB with $BIG rows, removed in $took s"
fi

cat >"$work/insert.sql" <<'SQL'
INSERT INTO "ProcessedIntegrationEvents" VALUES (gen_random_uuid(), gen_random_uuid(), 'invoice.issued', 't', NULL, 'billing', 'Processed', 1, now());
SQL
# Single inserts at a steady rate from two sessions; prints the 99th percentile in microseconds.
inserts() {
  rm -f "$work"/latency*
  (cd "$work" && "$bin/pgbench" -n -f insert.sql -c 2 -j 1 -R 200 -T "$SECONDS_" -l --log-prefix=latency) >/dev/null 2>&1
  cat "$work"/latency* | awk '{ print $3 }' | sort -n | awk '{ v[NR] = $1 } END { print v[int(NR * 0.99)] }'
}
for _ in $(seq "$ROUNDS"); do
  fill "$ROWS"; inserts >>"$work/alone"
  fill "$ROWS"; trim --max-time "${SECONDS_}s" >/dev/null & pid=$!
  inserts >>"$work/beside"; wait "$pid" || true
done
alone=$(median <"$work/alone") beside=$(median <"$work/beside")
delay=$(awk -v a="$beside" -v b="$alone" 'BEGIN { printf "%.2f", a / b }')
echo "p99 of inserts alone: $alone µs   beside a run: $beside µs   ratio: $delay"
broken() { echo "BROKEN: $1" >&2; failed=1; }
failed=0
awk -v r="$speed" 'BEGIN { exit !(r < 0.9) }' && broken "rows per second are below 0.9 of those by hand"
awk -v r="$delay" 'BEGIN { exit !(r > 1.5) }' && broken "the 99th percentile of inserts is above 1.5 times that without a run"
[ "$big" -le 40000 ] || broken "peak memory is above 40 MB"
[ "$big" -le $((memory + 4000)) ] || broken "peak memory grows with the rows"
exit "$failed"
