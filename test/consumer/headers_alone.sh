#!/usr/bin/env bash
# Whether each header compiles by itself:
#   headers_alone.sh <folder of headers> <file that names them, a line each> <compiler...>
# Those of Boost and of the standard are precompiled, which saves half the time; that one of these is included where it
# is needed is seen by headers_alone.sh --strictly ..., which does without.
set -euo pipefail
is_strict=
[ "$1" != --strictly ] || { is_strict=yes; shift; }
folder=$1 list=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
compile=("$@" "-I$folder")
if [ -z "$is_strict" ]; then
    grep -rhoE '^#include <(boost/[^>]*|[a-z_]+(/[a-z_]+\.h)?)>' "$folder" | sort -u >"$scratch/others.hpp"
    case $("$1" --version) in *clang*) kind=pch ;; *) kind=gch ;; esac
    "$@" -x c++-header "$scratch/others.hpp" -o "$scratch/others.hpp.$kind"
    compile+=(-include "$scratch/others.hpp")
fi
one() {
    printf '#include <%s>\n' "$1" | "${@:2}" -x c++ -fsyntax-only - || {
        printf '%s does not compile by itself\n' "$1" >&2
        exit 1
    }
}
export -f one
tr '\n' '\0' <"$list" | xargs -0 -P "$(nproc)" -I{} bash -c 'one "$@"' one {} "${compile[@]}"
