#!/usr/bin/env bash
# old_headers.sh <folder of headers> <compiler> <option> ...: each header of the test kits still compiles by its old
# name, and has the compiler say the new one, which is there.
set -euo pipefail
include=$1
shift
cd "$include"
count=0
for old in partyline/test.hpp partyline/test/*.hpp partyline/mcp/test_*.hpp; do
    new=${old/#partyline\/test/partyline\/testing}
    new=${new/#partyline\/mcp\/test_/partyline\/mcp\/testing\/test_}
    [ -f "$new" ] || { printf '%s: there is no %s\n' "$old" "$new" >&2; exit 1; }
    said=$(printf '#include <%s>\n#include <%s>\n' "$old" "$new" | "$@" -I. -x c++ -fsyntax-only - 2>&1) || {
        printf '%s does not compile:\n%s\n' "$old" "$said" >&2
        exit 1
    }
    case $said in *"<$old> is now <$new>"*) ;; *) printf '%s does not say that it is %s now: %s\n' "$old" "$new" "$said" >&2; exit 1 ;; esac
    count=$((count + 1))
done
[ "$count" -eq 9 ] || { printf '%s old headers were found, not 9\n' "$count" >&2; exit 1; }
