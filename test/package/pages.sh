#!/usr/bin/env bash
# The pages in the tree are what the programs' --help would have them be, and can be read; --version tells what a
# program is made of:
# pages.sh <folder of the pages> <version> <scratch> <program> ...
set -euo pipefail
pages=$1 version=$2 scratch=$3
shift 3

rm -rf "$scratch"
for program in "$@"; do
    python3 "$pages/write_pages.py" "$program" "$version" "$scratch"
done
diff -ru --exclude=write_pages.py "$pages" "$scratch" ||
    { echo "the pages are old: cmake --build --preset release --target renew_pages" >&2; exit 1; }

for page in "$pages"/*.1; do
    if command -v groff >/dev/null; then
        warnings=$(groff -man -ww -Tutf8 "$page" 2>&1 >/dev/null)
        [ -z "$warnings" ] || { echo "$page: $warnings" >&2; exit 1; }
    fi
done
# What stands between the options, or behind them, belongs to none of them.
if grep -nE "Exit codes|Limits|Options of" "$pages"/*.fish "$pages"/_*; then
    echo "a heading was taken for a part of an option" >&2
    exit 1
fi
can_check() {
    command -v "$1" >/dev/null && return
    echo "not checked: what completes in $1, which is not here" >&2
    [ -z "${CI:-}" ] || exit 1
    return 1
}
for page in "$pages"/*.bash; do
    bash -n "$page"
done
! can_check fish || fish --no-execute "$pages"/*.fish
! can_check zsh || for page in "$pages"/_*; do zsh -n "$page"; done

# What bash would offer for words of a command line, one a line.
offered() {
    local program=$1
    shift
    (
        PATH=$(dirname "$program_path"):$PATH
        # shellcheck disable=SC1090
        source "$pages/$program.bash"
        COMP_WORDS=("$program" "$@") COMP_CWORD=$# COMP_LINE="$program $*" COMP_POINT=${#COMP_LINE}
        compopt() { :; }
        "_${program//-/_}" "$program" "${*: -1}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    )
}
for program_path in "$@"; do
    program=$(basename "$program_path")
    offered "$program" --ver | grep -qx -- --version ||
        { echo "bash completes nothing for $program" >&2; exit 1; }
    grep -qx '\.SH EXIT STATUS' "$pages/$program.1" ||
        { echo "$program --help tells no exit codes" >&2; exit 1; }
    "$program_path" --version | grep -qxE "$program ${version//./\\.} \(Boost 1\.[0-9.]+, OpenSSL [0-9][0-9.]*\)" ||
        { echo "$program --version does not tell the versions of itself, Boost and OpenSSL" >&2; exit 1; }
done
