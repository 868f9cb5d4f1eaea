#!/usr/bin/env bash
# reproducible.sh SOURCES ARCHIVE ARCHIVE: two archives that were built in different places, of what SOURCES has and of
# what it has committed, are the same bytes. Left out while these differ.
set -euo pipefail
git -C "$1" rev-parse HEAD >/dev/null
git -C "$1" diff --quiet HEAD -- include lib cmake CMakeLists.txt || { echo "left out: not all is committed" >&2; exit 77; }
[ -s "$2" ] || { echo "there is no $2" >&2; exit 1; }
cmp "$2" "$3"
