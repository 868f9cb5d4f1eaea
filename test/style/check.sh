#!/usr/bin/env bash
# check.sh format|columns|shell|spelling TREE: fails for a file that breaks the style, with its name and line.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$2"

# Of what is ours, by name: build/ and what the tests install there is not.
files() {
    find . -path ./build -prune -o -path ./.git -prune -o -path ./test/fuzz/corpus -prune -o -type f "$@" -print0 | sort -z
}

case $1 in
    format) files \( -name '*.cpp' -o -name '*.hpp' \) | xargs -0 -r clang-format-19 --dry-run --Werror ;;
    # A line with a literal may be longer: what it holds is data. The comments of scripts count, their code does not.
    columns)
        export LC_ALL=C.UTF-8 # characters are counted
        found=$({
            files \( -name '*.cpp' -o -name '*.hpp' \) | xargs -0 -r grep -nP '^.{121,}$' /dev/null | grep -v '"' || true
            files \( -name '*.sh' -o -name '*.py' -o -name '*.cmake' -o -name '*.mjs' -o -name CMakeLists.txt \) |
                xargs -0 -r grep -nP '^\s*(#|//).{118,}$' /dev/null | grep -P '^[^:]*:[0-9]+:.{121,}$' || true
        })
        [ -z "$found" ] || { printf 'longer than 120 columns:\n%s\n' "$found" >&2; exit 1; } ;;
    # SC2317: functions that are called by a name in a variable.
    shell) files \( -name '*.sh' -o -path './.ci/run' \) | xargs -0 -r shellcheck --external-sources --exclude SC2317 ;;
    # Not what machines write: lock files, recorded data, lists of symbols.
    spelling) files ! -name '*.json' ! -name '*.lock' ! -name 'go.sum' ! -path './cmake/symbols/*' ! -path "./${here#"$PWD"/}/*" |
        xargs -0 -r codespell --ignore-words "$here/known_words.txt" ;;
    *) printf 'usage: check.sh format|columns|shell|spelling TREE\n' >&2; exit 2 ;;
esac
