#!/usr/bin/env bash
# Measures what a report of very many findings costs in each format, beside jq reading and writing the same result, and
# holds it against bounds.
#
#   benches/reports.sh [RUNS]
#
# Needs no server. Every figure has its bound beside it; the exit code is 1 if one is broken. RUNS (default 5) is the number
# of runs that a median is taken of, FINDINGS (default 100000) how many findings the result has. Set SEADRIFT_BIN to measure
# a binary that is built already.
set -euo pipefail
cd "$(dirname "$0")/.."
program=benches/reports.sh
. tests/servers.sh

runs=${1:-5}
findings=${FINDINGS:-100000}
broken=0

# Prints a figure with its bound: `figure WHAT VALUE BOUND UNIT`. The first is compared with the second as numbers.
figure() {
  local verdict=ok
  awk "BEGIN { exit !($2 <= $3) }" || { verdict=BROKEN; broken=1; }
  printf '%-46s %8s %-12s (at most %s) %s\n' "$1" "$2" "$4" "$3" "$verdict"
}

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# Makes a result of so many findings in six targets out of one that a check of a drifted database gave.
make_result() {
  "$seadrift" demo --keep "$work/demo" >/dev/null 2>&1
  for service in asset notification; do
    "$seadrift" check --url "sqlite:$work/demo/$service.db" --spec "$work/demo/$service.yaml" --name "prod/$service" \
      --report "json=$work/$service.json" -qq || [ $? -le 5 ]
  done
  "$seadrift" merge "$work/asset.json" "$work/notification.json" --report "json=$work/demo.json" -qq || [ $? -le 5 ]
  jq --argjson n "$findings" '
    .targets as $t | .findings as $f
    | .targets = [range(6) | . as $i | $t[$i % ($t | length)] | .name = "prod-\($i)/\(.service)"]
    | .targets as $t
    | .findings = [range($n) | . as $i | $f[$i % ($f | length)]
        | .target = $t[$i % 6].name | .object.table = "\(.object.table)_\($i)" | .fingerprint = ("0000000000000000\($i)" | .[-16:])]
  ' "$work/demo.json" >"$work/all.json"
  # In the order and with the counts that the program itself gives it.
  "$seadrift" merge "$work/all.json" --report "json=$work/result.json" -qq || [ $? -le 5 ]
}

# Runs a command so many times, and sets `wall` and `seconds` (of the processor, which other programs take no part of), both
# medians, and `peak` (MB, highest).
measure() {
  local i
  : >"$work/times"
  for ((i = 0; i < runs; i++)); do command time -q -a -f '%e %U %S %M' -o "$work/times" "$@" >/dev/null 2>&1 || [ $? -le 5 ]; done
  wall=$(cut -d' ' -f1 "$work/times" | median)
  seconds=$(awk '{ print $2 + $3 }' "$work/times" | median)
  peak=$(cut -d' ' -f4 "$work/times" | sort -n | tail -1 | awk '{ printf "%.0f", $1 / 1024 }')
}

# Prints a run's time, the wall's in brackets, also as a multiple of jq's, and its memory as a multiple of the result's size.
report() {
  local what=$1
  shift
  measure "$@"
  figure "$what" "$seconds" 2 "s ($wall s)"
  figure "  as a multiple of jq's time" "$(awk "BEGIN { printf \"%.2f\", $seconds / $reference }")" 1 ""
  figure "  peak memory, of the result's size" "$(awk "BEGIN { printf \"%.2f\", $peak / $size }")" 4 "($peak MB)"
}

for tool in time jq; do [ -n "$(type -P "$tool")" ] || install_packages "$tool"; done
seadrift=${SEADRIFT_BIN:-}
if [ -z "$seadrift" ]; then
  cargo build --release --locked --bin seadrift
  seadrift=${CARGO_TARGET_DIR:-target}/release/seadrift
fi
seadrift=$(realpath "$seadrift")
make_result
size=$(stat -c %s "$work/result.json" | awk '{ printf "%.1f", $1 / 1048576 }')
measure jq . "$work/result.json"
reference=$seconds
printf 'machine: %s, %s cores\n' "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)" "$(nproc)"
printf 'result: %s findings, %s MB; jq reads and writes it in %s s and %s MB\n' "$findings" "$size" "$reference" "$peak"
for format in text concise json jsonl sarif junit gitlab github azure markdown html prometheus; do
  report "render --format $format" "$seadrift" render "$work/result.json" --ci none --format "$format" --output "$work/out.$format"
done
report "merge" "$seadrift" merge "$work/result.json" --ci none --format json --output "$work/out.json"
exit $broken
