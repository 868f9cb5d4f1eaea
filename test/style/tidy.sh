#!/usr/bin/env bash
# tidy.sh TREE SCRATCH JOBS: clang-tidy over the sources of lib, many at a time, since most of its time goes into
# Boost's headers.
set -euo pipefail
cd "$1"
tree=$PWD scratch=$2 jobs=$3
rm -rf "$scratch"
mkdir -p "$scratch"
# Those of one library, as they are compiled together in builds, so that their names differ.
batch() { # name, then what find has to look for
    find "$tree/lib" "${@:2}" -name '*.cpp' -print | sort | sed 's/.*/#include "&"/' |
        split -l 40 --additional-suffix=.cpp - "$scratch/$1_"
}
batch access -path '*/lib/access/*'
batch fleet -path '*/lib/fleet/*'
batch http -path '*/lib/http/*'
batch mcp -path '*/lib/mcp/*'
batch mcp_extensions -path '*/lib/mcp_extensions/*'
batch telemetry -path '*/lib/telemetry/*'
batch tls -path '*/lib/tls/*'
# Not what is for another system, nor what defines again what spawn_closefrom.cpp defines.
batch partyline ! -name '*_apple.cpp' ! -name spawn_without_closefrom.cpp ! -path '*/lib/access/*' ! -path '*/lib/fleet/*' \
    ! -path '*/lib/http/*' ! -path '*/lib/mcp*' ! -path '*/lib/telemetry/*' ! -path '*/lib/tls/*'

tidy() {
    clang-tidy-19 --config-file="$1/.clang-tidy" --quiet "$2" -- -std=c++20 -I"$1/include" -I"$1/lib" >"$2.log" 2>&1 ||
        { cat "$2.log"; return 1; }
}
export -f tidy
find "$scratch" -name '*.cpp' -print0 | sort -z | xargs -0 -P "$jobs" -I{} bash -c 'tidy "$@"' tidy "$tree" {}
