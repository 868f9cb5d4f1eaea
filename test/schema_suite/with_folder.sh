#!/usr/bin/env bash
# Runs a test that needs data of others:
#   bash test/schema_suite/with_folder.sh FOLDER COMMAND...
# Where there is no such folder it exits with 77 instead, or with 1 if the variable CI is set: there it has to be.
set -euo pipefail
folder=$1
shift
if [ -d "$folder" ]; then
    exec "$@"
fi
printf 'left out: there is no folder %s here\n' "$folder" >&2
[ -z "${CI:-}" ] || exit 1
exit 77
