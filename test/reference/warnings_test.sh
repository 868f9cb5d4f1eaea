#!/usr/bin/env bash
# What is not documented, and what Doxygen does not understand, fails with its line:
#   bash warnings_test.sh MAKE DOXYFILE FOLDER
set -euo pipefail
make=$1 folder=$3
rm -rf "$folder" && mkdir -p "$folder/in"
sed -E "s|^INPUT .*|INPUT = \"$folder/in\"|; s|^OUTPUT_DIRECTORY .*|OUTPUT_DIRECTORY = \"$folder/out\"|" "$2" >"$folder/Doxyfile"

header() { printf '#pragma once\n\n/// All of it.\nnamespace a {\n\n%s\n\n} // namespace a\n' "$1" >"$folder/in/a.hpp"; }
expect() { # what it is about, and what is said of it; without that it is to pass
    local said=0
    bash "$make" "$folder/Doxyfile" "$folder/out" >"$folder/said" 2>&1 || said=1
    if [ -z "${2:-}" ]; then
        [ "$said" = 0 ] || { printf '%s: refused:\n' "$1"; cat "$folder/said"; exit 1; }
    else
        { [ "$said" = 1 ] && grep -q "$2" "$folder/said"; } || { printf '%s: no "%s" in:\n' "$1" "$2"; cat "$folder/said"; exit 1; }
    fi
}

header $'/// Documented.\nstruct b {\n    int c = 0; ///< Also.\n};'
expect 'a header with all that is wanted'
header $'/// Documented.\nstruct b {\n    int c = 0;\n};'
expect 'a member without a comment' 'a.hpp:8: .*Member c'
header $'struct b {\n    int c = 0; ///< Known.\n};'
expect 'a class without a comment' 'a.hpp:6: .*Compound a::b'
header $'/// Documented.\nint c(int d);\nint c(double d);'
expect 'an overload without a comment' 'a.hpp:8: .*Member c'
header $'int c(int d);\n\nnamespace detail {\nint e();\n}'
expect 'a function without a comment' 'a.hpp:6: .*Member c'
header $'/// Documented.\nint c(int d);\n\nnamespace detail {\nint e();\n} // namespace detail'
expect 'what is not for users needs none'
printf 'no pragma\n' >"$folder/in/a.hpp"
expect 'a header that the filter fails at' 'ValueError'
printf 'seven headers, five of them with a fault that is found\n'
