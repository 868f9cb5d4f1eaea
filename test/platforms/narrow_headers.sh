#!/usr/bin/env bash
# Whether each public header refuses a 32-bit system, or compiles for it, since it needs nothing that such a one lacks:
#   narrow_headers.sh <folder of headers> <compiler for such a system...>
set -euo pipefail
cd "$1"
shift
faults=0 refusing=0
for header in $(find partyline -name '*.hpp' | sort); do
    if said=$(printf '#include <%s>\n' "$header" | "$@" -I. -Wfatal-errors -x c++ -fsyntax-only - 2>&1); then
        continue
    elif [[ $said == *'partyline needs a 64-bit system'* ]]; then
        refusing=$((refusing + 1))
    else
        printf '%s\n' "$said" >&2
        faults=1
    fi
done
[ "$refusing" -gt 0 ] || { echo "no header refuses it" >&2; exit 1; }
exit "$faults"
