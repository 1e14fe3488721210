#!/usr/bin/env bash
# Runs the check for action.yml: inputs come as INPUT_… variables, the exit code goes to the step's outputs and is kept.
set -euo pipefail

args=(check --spec "$INPUT_SPEC" --fail-on "$INPUT_FAIL_ON")
if [ -n "${INPUT_SERVICE:-}" ]; then args+=(--service "$INPUT_SERVICE"); fi
if [ -n "${INPUT_SCHEMA:-}" ]; then args+=(--schema "$INPUT_SCHEMA"); fi
if [ -n "${INPUT_NAME:-}" ]; then args+=(--name "$INPUT_NAME"); fi
if [ -n "${INPUT_BASELINE:-}" ]; then args+=(--baseline "$INPUT_BASELINE"); fi
if [ "${INPUT_ALLOW_INCOMPLETE:-false}" = true ]; then args+=(--allow-incomplete); fi
while IFS= read -r report; do
  if [ -n "$report" ]; then args+=(--report "$report"); fi
done <<<"${INPUT_REPORTS:-}"

code=0
"${SEADRIFT:-seadrift}" "${args[@]}" || code=$?
echo "exit-code=$code" >>"${GITHUB_OUTPUT:-/dev/null}"
exit "$code"
