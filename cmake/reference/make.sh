#!/usr/bin/env bash
# Makes the reference: bash cmake/reference/make.sh DOXYFILE FOLDER
# FOLDER is where it goes. Whatever Doxygen or the filter says is a failure.
set -uo pipefail
mkdir -p "$2" && rm -rf "$2/html" || exit 1
doxygen "$1" 2>&1 | tee "$2/warnings.txt"
made=${PIPESTATUS[0]}
if [ "$made" != 0 ] || [ -s "$2/warnings.txt" ]; then
    printf 'reference: %s lines of warnings, in %s\n' "$(wc -l <"$2/warnings.txt")" "$2/warnings.txt" >&2
    exit 1
fi
printf 'reference: %s\n' "$2/html/index.html"
