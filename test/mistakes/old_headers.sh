#!/usr/bin/env bash
# old_headers.sh <folder of headers> <compiler> <option> ...: each header that has moved still compiles by its old name,
# and has the compiler say the new one, which is there.
set -euo pipefail
include=$1
shift
cd "$include"
count=0
while read -r old; do
    new=$(sed -n 's/^#pragma message("<.*> is now <\(.*\)>")$/\1/p' "$old")
    [ -f "$new" ] || { printf '%s: there is no %s\n' "$old" "$new" >&2; exit 1; }
    said=$(printf '#include <%s>\n#include <%s>\n' "$old" "$new" | "$@" -I. -x c++ -fsyntax-only - 2>&1) || {
        printf '%s does not compile:\n%s\n' "$old" "$said" >&2
        exit 1
    }
    case $said in
        *"<$old> is now <$new>"*) ;;
        *) printf '%s does not say that it is %s now: %s\n' "$old" "$new" "$said" >&2; exit 1 ;;
    esac
    count=$((count + 1))
done < <(grep -rl '^#pragma message("<partyline/' partyline)
[ "$count" -eq 21 ] || { printf '%s old headers were found, not 21\n' "$count" >&2; exit 1; }
