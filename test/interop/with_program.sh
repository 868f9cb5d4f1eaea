#!/usr/bin/env bash
# Runs a test that needs a foreign program:
#   bash test/interop/with_program.sh PROGRAM COMMAND...
# Where there is no such program it exits with 77 instead, or with 1 if the variable CI is set: there it has to be.
set -euo pipefail
program=$1
shift
if command -v "$program" >/dev/null; then
    exec "$@"
fi
printf 'left out: there is no %s here\n' "$program" >&2
[ -z "${CI:-}" ] || exit 1
exit 77
