#!/usr/bin/env bash
# In the build folder of a project that has partyline in it: its program runs, and nothing but that is installed.
set -euo pipefail
./subproject
rm -rf prefix
"$1" --install . --prefix prefix >/dev/null
installed=$(cd prefix && find . -type f)
[ "$installed" = ./bin/subproject ] || { printf 'installed besides:\n%s\n' "$installed" >&2; exit 1; }
