# What the benchmarks share: figures with their bounds, the ledger that is checked, and the catalog query for psql. Source it after
# tests/servers.sh; it sets `seadrift`, `pg_bin` and `psql` in `prepare`.
# shellcheck shell=bash

broken=0
table=ProcessedIntegrationEvents

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

ms() { awk "BEGIN { printf \"%.1f\", $1 / 1000 }"; }

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

sql() { "$psql" -X -q -v ON_ERROR_STOP=1 -h "$work/postgres" -p "$postgres_port" -U postgres "$@"; }

# Checks a database: `check URL SPEC`.
check() { DATABASE_URL=$1 "$seadrift" check --spec "$2" --fail-on never; }

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

# Installs what is missing, finds or builds the program, and says what the figures are of.
prepare() {
  install_servers
  local tool
  for tool in time sqlite3; do [ -n "$(type -P "$tool")" ] || install_packages "$tool"; done
  pg_bin=$(find_postgres)
  psql=$pg_bin/psql
  seadrift=${SEADRIFT_BIN:-}
  if [ -z "$seadrift" ]; then
    cargo build --release --locked --bin seadrift
    seadrift=${CARGO_TARGET_DIR:-target}/release/seadrift
  fi
  printf 'machine: %s, %s cores; %s\n' "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)" "$(nproc)" "$("$pg_bin/postgres" --version)"
}
