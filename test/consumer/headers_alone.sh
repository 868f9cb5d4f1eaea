#!/usr/bin/env bash
# Whether each header compiles by itself:
#   headers_alone.sh <folder of headers> <file that names them, a line each> <compiler...>
set -euo pipefail
folder=$1 list=$2
shift 2
one() {
    printf '#include <%s>\n' "$1" | "${@:2}" -x c++ -fsyntax-only - || {
        printf '%s does not compile by itself\n' "$1" >&2
        exit 1
    }
}
export -f one
tr '\n' '\0' <"$list" | xargs -0 -P "$(nproc)" -I{} bash -c 'one "$@"' one {} "$@" -I"$folder"
